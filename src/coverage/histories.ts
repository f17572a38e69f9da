/** How many histories a test was run in: the faults that the chain went through, one after another. */
export interface TriedHistories {
  readonly test: string
  readonly tried: number
  /** In words, the ones in which it failed. */
  readonly failed: readonly string[]
}
