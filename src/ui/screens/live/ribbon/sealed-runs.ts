import type { SealedSummary } from '#ui/feed/feed-state.ts'

/** A sealed block, or several empty ones in a row. */
export interface SealedRun {
  /** The newest of them. */
  readonly block: SealedSummary
  /** Number of the oldest. */
  readonly from: number
}

/**
 * Sealed blocks for a short list, newest first: empty ones in a row are one entry. The newest stands alone, as it has just
 * come.
 *
 * @param sealed - Newest first.
 * @param most - Entries.
 */
export function sealedRuns(sealed: readonly SealedSummary[], most: number): readonly SealedRun[] {
  const runs: SealedRun[] = []
  for (const [i, block] of sealed.entries()) {
    const last = runs.at(-1)
    const joins = i > 1 && last !== undefined && isEmpty(block) && isEmpty(last.block) && last.from === block.number + 1
    if (joins) runs[runs.length - 1] = { block: last.block, from: block.number }
    else if (runs.length === most) break
    else runs.push({ block, from: block.number })
  }
  return runs
}

function isEmpty({ transactionCount }: SealedSummary): boolean {
  return transactionCount === 0
}
