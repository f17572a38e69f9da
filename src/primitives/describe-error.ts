/** Longest message of somebody else's error that is repeated, in characters. */
const LONGEST = 2_000

/** What was thrown, as a text: anything can be. */
export function describeError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, LONGEST)
}
