import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import type { PlannedFailure, Withdrawal, WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import { formatCount, formatDuration } from '#ui/format/numbers.ts'
import { partialsInWords } from '#ui/format/partial-number.ts'

export type FaultKind = 'drop' | 'stall' | 'delay' | 'reorg' | 'fail'

/** The result of a fault, for people. */
export interface FaultReport {
  readonly words: string
  /** The affected transactions. */
  readonly hashes: readonly Hash[]
  /** Number of all affected transactions, named or not. */
  readonly count: number
}

export const STALLED_TICKS = 5
/** Milliseconds of chain time. */
export const SEAL_DELAY_MS = 2_000

/** The error that the next senders get. */
export const REFUSAL = {
  methods: ['eth_sendRawTransaction'],
  error: { code: -32000, message: 'the sequencer is out of order (planned fault)' },
  times: 3,
} as const satisfies PlannedFailure

/**
 * Causes a fault.
 *
 * @param fate - What becomes of withdrawn transactions.
 * @param own - The page's own transactions, newest first: a withdrawal goes back to one of them if the pending block
 * holds any.
 * @returns `undefined` if there is nothing to withdraw yet: the chain then withdraws the next partial block with
 * transactions.
 * @throws {ProviderRpcError} If the chain refuses.
 */
export async function causeFault(
  provider: BlinknetProvider,
  kind: FaultKind,
  fate: WithdrawnFate,
  own: readonly Hash[],
): Promise<FaultReport | undefined> {
  switch (kind) {
    case 'drop': {
      const withdrawal = await provider.request({ method: 'devnet_withdrawNext', params: [fate, own] })
      return withdrawal ? withdrawalReport(withdrawal) : undefined
    }
    case 'reorg':
      return reorg(provider, fate)
    case 'stall':
      await provider.request({ method: 'devnet_stallPartialBlocks', params: [STALLED_TICKS] })
      return nothingTaken(
        `The next ${STALLED_TICKS} ticks will not pre-confirm anything. New transactions stay in the mempool; blocks are sealed ` +
          'on time, with fewer partial blocks.',
      )
    case 'delay': {
      await provider.request({ method: 'devnet_delaySeal', params: [SEAL_DELAY_MS] })
      const number = await liveNumber(provider)
      return nothingTaken(
        `The seal of block ${number} is delayed by ${formatDuration(SEAL_DELAY_MS)}. Its transactions stay ` +
          'pre-confirmed that much longer.',
      )
    }
    case 'fail':
      await provider.request({ method: 'devnet_failNext', params: [REFUSAL] })
      return nothingTaken(
        `The next ${REFUSAL.times} transactions, whoever sends them, will be refused with “${REFUSAL.error.message}”. The ` +
          'chain itself does not change.',
      )
  }
}

function nothingTaken(words: string): FaultReport {
  return { words, hashes: [], count: 0 }
}

async function liveNumber(provider: BlinknetProvider): Promise<number> {
  const { live } = await provider.request({ method: 'devnet_status' })
  return Number(live.number)
}

/**
 * Describes a withdrawal.
 *
 * @param count - Number of its transactions, if not all are named.
 */
export function withdrawalReport(
  { number, first, last, fate, withdrawn }: Withdrawal,
  count = withdrawn.length,
): FaultReport {
  const block = Number(number)
  const what = `${partialsInWords([first, last])} of block ${block} ${first === last ? 'was' : 'were'} withdrawn.`
  return { words: `${what} ${fateOf(count, fate, first === last ? 'Its' : 'Their')}`, hashes: withdrawn, count }
}

async function reorg(provider: BlinknetProvider, fate: WithdrawnFate): Promise<FaultReport> {
  const [latest, pending] = await Promise.all([
    provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] }),
  ])
  const { head, removed } = await provider.request({ method: 'devnet_reorg', params: [1, fate] })
  const number = Number(head.number) + 1
  const what =
    `Block ${number} was removed, and the pending block on top of it. Block ${number - 1} is the newest again, and ` +
    `a new block ${number} is being built.`
  // If the newest was not removed, another block was sealed meanwhile, whose contents are unknown here.
  const known = latest && removed.includes(latest.hash)
  const hashes = known ? ([...latest.transactions, ...(pending?.transactions ?? [])] as readonly Hash[]) : []
  if (known && hashes.length === 0) return nothingTaken(`${what} Neither held a transaction.`)
  if (hashes.length === 0) return nothingTaken(what)
  return { words: `${what} ${fateOf(hashes.length, fate)}`, hashes, count: hashes.length }
}

function fateOf(count: number, fate: WithdrawnFate, whose: 'Its' | 'Their' = 'Its'): string {
  const subject = count === 1 ? `${whose} transaction` : `${whose} ${formatCount(count, 'transaction')}`
  if (fate === 'lose') {
    return `${subject} ${count === 1 ? 'is' : 'are'} lost: in no block and not in the mempool, unless sent again.`
  }
  return `${subject} ${count === 1 ? 'waits' : 'wait'} in the mempool again, for the next partial block.`
}
