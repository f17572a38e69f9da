/** How many times as many runs as in `npm test`: `RUNS=20 npx vitest run --project unit <file>`; CI has it at night. */
const LONGER = Number(process.env['RUNS'] ?? 1)

/**
 * The runs of a property test: as many as are worth their time at each push, and more of them at night.
 *
 * @param usual - Without `RUNS`.
 */
export function runsOf(usual: number): number {
  return usual * LONGER
}
