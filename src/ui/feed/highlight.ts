import { create } from 'zustand'
import type { Hex } from '#primitives/hex.ts'
import type { FeedState, FeedTransaction } from './feed-state.ts'

/** What is searched for: a transaction's hash or an address, in lower case, or a block's number. */
export type Wanted = Hex | number

/** The highlighted squares; all others are faint. */
export const useHighlight = create<{ readonly highlighted: Wanted | undefined }>()(() => ({ highlighted: undefined }))

/** The current highlight, for code that does not render it. */
export function highlightedNow(): Wanted | undefined {
  return useHighlight.getState().highlighted
}

export function highlight(wanted: Wanted | undefined): void {
  useHighlight.setState({ highlighted: wanted })
}

/** Whether a transaction has that hash, or is from or to that address. */
export function isWanted({ hash, from, to }: Pick<FeedTransaction, 'hash' | 'from' | 'to'>, wanted: Hex): boolean {
  return hash === wanted || from === wanted || to === wanted
}

/** Number of the feed's transactions that match the search. */
export function countWanted({ live, sealed, transactions }: FeedState, wanted: Wanted): number {
  if (typeof wanted === 'number') {
    const block = live?.number === wanted ? live : sealed.find(({ number }) => number === wanted)
    return block?.transactionCount ?? 0
  }
  let count = 0
  for (const tx of transactions.values()) if (isWanted(tx, wanted)) count++
  return count
}
