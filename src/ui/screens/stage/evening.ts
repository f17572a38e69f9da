import { useEffect } from 'react'
import { create } from 'zustand'
import type { SealedSummary } from '#ui/feed/feed-state.ts'
import { liveFeed } from '#ui/feed/store.ts'

/** What the stage has seen since it was opened. */
export interface Evening {
  readonly blocks: number
  readonly transactions: number
  /** The newest block that was counted; `undefined` before the first. */
  readonly upTo: number | undefined
}

export const NOTHING_SEEN: Evening = { blocks: 0, transactions: 0, upTo: undefined }

/** Kept while one walks through the scenes; a reload begins anew. */
export const useEvening = create<Evening>()(() => NOTHING_SEEN)

/**
 * Adds the blocks that were sealed since the last time. The first call counts nothing: those blocks were there before. A
 * block that a reorg replaces is not counted again.
 *
 * @param sealed - Newest first.
 */
export function countSealed(evening: Evening, sealed: readonly SealedSummary[]): Evening {
  const newest = sealed[0]?.number
  if (newest === undefined) return evening
  const { upTo } = evening
  if (upTo === undefined) return { ...evening, upTo: newest }
  if (newest <= upTo) return evening
  const fresh = sealed.filter(({ number }) => number > upTo)
  return {
    blocks: evening.blocks + (newest - upTo),
    transactions: evening.transactions + fresh.reduce((sum, { transactionCount = 0 }) => sum + transactionCount, 0),
    upTo: newest,
  }
}

/** Counts while the stage is open, whatever it shows. */
export function useCountedEvening(): void {
  useEffect(() => {
    const count = () => useEvening.setState((evening) => countSealed(evening, liveFeed.getState().sealed))
    count()
    return liveFeed.subscribe(count)
  }, [])
}
