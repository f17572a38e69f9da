import type { FeedLiveBlock, FeedState, FeedTransaction } from './feed-state.ts'

/** Transactions in the pool, oldest first. */
export function pooledTransactions(transactions: FeedState['transactions']): readonly FeedTransaction[] {
  return [...transactions.values()].filter((tx) => tx.status === 'mempool')
}

/** The newest `limit` transactions, newest first. */
export function recentTransactions(transactions: FeedState['transactions'], limit: number): readonly FeedTransaction[] {
  return [...transactions.values()].slice(-limit).toReversed()
}

/** The pace of chain time, as needed for deadlines. */
export interface Pace {
  readonly partialMs: number
  readonly partialsPerBlock: number
  /** Chain time over real time. */
  readonly speed: number
}

/** When the pending block is due to be sealed, in milliseconds since the Unix epoch. */
export function sealDueAtMs(live: Pick<FeedLiveBlock, 'index' | 'arrivedAtMs'>, pace: Pace): number {
  const ticksLeft = pace.partialsPerBlock - live.index
  return live.arrivedAtMs + (ticksLeft * pace.partialMs) / pace.speed
}

/** Number of blocks sealed since those on the screen; 0 if blocks were reverted. */
export function newBlocks(shown: FeedState, live: FeedState): number {
  return Math.max(0, (live.sealed[0]?.number ?? 0) - (shown.sealed[0]?.number ?? 0))
}
