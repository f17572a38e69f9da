import type { BlinknetProvider } from '#client/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import type { PlannedFailure, WithdrawnFate } from '#rpc-types/devnet.ts'
import type { LiveBlock } from '#ui/feed/feed-state.ts'
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
  error: { code: -32000, message: 'the sequencer is out of order (planned fault)' },
  times: 3,
} as const satisfies PlannedFailure

/** What the page sees of the chain at this moment. */
export interface Sight {
  readonly live: () => LiveBlock | undefined
  /** Transactions that this page sent. */
  readonly own: () => ReadonlySet<Hash>
}

/**
 * Asks the chain for a fault.
 *
 * @param fate - What becomes of withdrawn transactions.
 * @returns `undefined` if there is nothing to drop: no partial block of the pending block holds a transaction.
 * @throws {ProviderRpcError} If the chain refuses.
 */
export async function causeFault(
  provider: BlinknetProvider,
  kind: FaultKind,
  fate: WithdrawnFate,
  sight: Sight,
): Promise<FaultReport | undefined> {
  switch (kind) {
    case 'drop':
      return dropNewest(provider, fate, sight)
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
        `The seal of block ${number} is put off by ${formatDuration(SEAL_DELAY_MS)}. Its transactions stay ` +
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
  return { words, hashes: [] }
}

async function liveNumber(provider: BlinknetProvider): Promise<number> {
  const { live } = await provider.request({ method: 'devnet_status' })
  return Number(live.number)
}

/**
 * The newest partial block that holds a transaction of one's own, else the newest that holds any.
 *
 * @param own - Hashes of one's own transactions.
 */
export function newestWithTransactions(live: LiveBlock, own: ReadonlySet<Hash>): number | undefined {
  const holding = live.slots.filter(({ transactions }) => transactions.length > 0)
  const withOwn = holding.filter(({ transactions }) => transactions.some(({ hash }) => own.has(hash)))
  const indices = (withOwn.length > 0 ? withOwn : holding).map(({ index }) => index)
  return indices.length === 0 ? undefined : Math.max(...indices)
}

/** Ticks that may come between the question and the drop; each costs one more attempt. */
const MAX_ATTEMPTS = 5

/** Withdraws partial blocks from the newest back to the one that {@link newestWithTransactions} names. */
async function dropNewest(
  provider: BlinknetProvider,
  fate: WithdrawnFate,
  sight: Sight,
): Promise<FaultReport | undefined> {
  const seen = sight.live()
  const target = seen && newestWithTransactions(seen, sight.own())
  if (seen === undefined || target === undefined) return undefined
  const wanted = new Set(seen.slots.find(({ index }) => index === target)?.transactions.map(({ hash }) => hash))
  const hashes: Hash[] = []
  let newest: number | undefined
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { live } = await provider.request({ method: 'devnet_status' })
    // Sealed meanwhile: what it held cannot be dropped any more.
    if (Number(live.number) !== seen.number) break
    newest ??= live.index
    // Where the page came in the middle of the block, the transactions may be older than it knows.
    const back = seen.complete || attempt === 0 ? target : 0
    const answer = await provider.request({
      method: 'devnet_dropPartialBlocks',
      params: [Math.max(1, live.index - back + 1), fate],
    })
    hashes.push(...answer.withdrawn)
    if (answer.withdrawn.some((hash) => wanted.has(hash)) || Number(answer.number) !== seen.number) break
  }
  if (newest === undefined || hashes.length === 0) return undefined
  const first = Math.min(target, newest)
  const what =
    newest === first
      ? `Partial block ${first} of block ${seen.number} was withdrawn.`
      : `Partial blocks ${first} to ${newest} of block ${seen.number} were withdrawn.`
  return { words: `${what} ${fateOf(hashes.length, fate, newest === first ? 'Its' : 'Their')}`, hashes }
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
  // Otherwise another block was sealed meanwhile, and what was in it is not known here.
  const known = latest && removed.includes(latest.hash)
  const hashes = known ? ([...latest.transactions, ...(pending?.transactions ?? [])] as readonly Hash[]) : []
  if (hashes.length === 0) return nothingTaken(what)
  return { words: `${what} ${fateOf(hashes.length, fate)}`, hashes }
}

function fateOf(count: number, fate: WithdrawnFate, whose: 'Its' | 'Their' = 'Its'): string {
  const subject = count === 1 ? `${whose} transaction` : `${whose} ${formatCount(count, 'transaction')}`
  if (fate === 'lose') {
    return `${subject} ${count === 1 ? 'is' : 'are'} lost: in no block and not in the mempool, unless sent again.`
  }
  return `${subject} ${count === 1 ? 'waits' : 'wait'} in the mempool again, for the next partial block.`
}
