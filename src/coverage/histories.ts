/** How many histories a test was run in: the faults that the chain went through, one after another. */
export interface TriedHistories {
  readonly test: string
  readonly tried: number
  /** Those in which it failed, in words. */
  readonly failed: readonly string[]
}
