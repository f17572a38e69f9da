import type { BlinknetProvider } from '#client/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import type { PlannedFailure, WithdrawnFate } from '#rpc-types/devnet.ts'
import { formatCount, formatDuration } from '#ui/format/numbers.ts'

export type FaultKind = 'drop' | 'stall' | 'delay' | 'reorg' | 'fail'

/** What a fault did, for a person. */
export interface FaultReport {
  readonly words: string
  /** Transactions that it took something from. */
  readonly hashes: readonly Hash[]
}

export const STALLED_TICKS = 5
/** Milliseconds of chain time. */
export const SEAL_DELAY_MS = 2_000

/** What the next senders meet. */
export const REFUSAL = {
  methods: ['eth_sendRawTransaction'],
  error: { code: -32000, message: 'the sequencer is out of order, on request' },
  times: 3,
} as const satisfies PlannedFailure

/**
 * Asks the chain for a fault.
 *
 * @param fate - What becomes of transactions that are taken back.
 * @throws {ProviderRpcError} If the chain refuses.
 */
export async function causeFault(
  provider: BlinknetProvider,
  kind: FaultKind,
  fate: WithdrawnFate,
): Promise<FaultReport> {
  switch (kind) {
    case 'drop':
      return dropNewest(provider, fate)
    case 'reorg':
      return reorg(provider, fate)
    case 'stall':
      await provider.request({ method: 'devnet_stallPartialBlocks', params: [STALLED_TICKS] })
      return nothingTaken(
        `The next ${STALLED_TICKS} ticks pre-confirm nothing. What is sent waits in the mempool; blocks are sealed on ` +
          'time, with fewer partial blocks.',
      )
    case 'delay': {
      await provider.request({ method: 'devnet_delaySeal', params: [SEAL_DELAY_MS] })
      const number = await liveNumber(provider)
      return nothingTaken(
        `The seal of block ${number} is put off by ${formatDuration(SEAL_DELAY_MS)}. What is pre-confirmed in it stays ` +
          'pre-confirmed that much longer.',
      )
    }
    case 'fail':
      await provider.request({ method: 'devnet_failNext', params: [REFUSAL] })
      return nothingTaken(
        `The next ${REFUSAL.times} transactions that anybody sends are refused with “${REFUSAL.error.message}”. The ` +
          'chain itself is not touched.',
      )
  }
}

function nothingTaken(words: string): FaultReport {
  return { words, hashes: [] }
}

async function liveNumber(provider: BlinknetProvider): Promise<number> {
  const { live } = await provider.request({ method: 'devnet_status' })
  return Number(live.number)
}

async function dropNewest(provider: BlinknetProvider, fate: WithdrawnFate): Promise<FaultReport> {
  const { live: before } = await provider.request({ method: 'devnet_status' })
  const { number, index, withdrawn } = await provider.request({
    method: 'devnet_dropPartialBlocks',
    params: [1, fate],
  })
  // The first one stays, without its transactions.
  const dropped = before.number === number && before.index === 0 ? 0 : index + 1
  const what = `Partial block ${dropped} of block ${Number(number)} was withdrawn.`
  if (withdrawn.length === 0) return nothingTaken(`${what} It had brought no transactions.`)
  return { words: `${what} ${fateOf(withdrawn.length, fate)}`, hashes: withdrawn }
}

async function reorg(provider: BlinknetProvider, fate: WithdrawnFate): Promise<FaultReport> {
  const [latest, pending] = await Promise.all([
    provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] }),
  ])
  const { head, removed } = await provider.request({ method: 'devnet_reorg', params: [1, fate] })
  const number = Number(head.number) + 1
  const what =
    `Block ${number} was taken back, and the live block on top of it. Block ${number - 1} is the newest again, and ` +
    `another block ${number} is being built.`
  // Otherwise another block was sealed meanwhile, and what was in it is not known here.
  const known = latest && removed.includes(latest.hash)
  const hashes = known ? ([...latest.transactions, ...(pending?.transactions ?? [])] as readonly Hash[]) : []
  if (hashes.length === 0) return nothingTaken(what)
  return { words: `${what} ${fateOf(hashes.length, fate)}`, hashes }
}

function fateOf(count: number, fate: WithdrawnFate): string {
  const subject = count === 1 ? 'Its transaction' : `Its ${formatCount(count, 'transaction')}`
  if (fate === 'lose') {
    return `${subject} ${count === 1 ? 'is' : 'are'} lost: in no block and not in the mempool, unless sent again.`
  }
  return `${subject} ${count === 1 ? 'waits' : 'wait'} in the mempool again, for the next partial block.`
}
