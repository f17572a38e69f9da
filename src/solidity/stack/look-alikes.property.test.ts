import { expect, test } from 'vitest'
import { lookAlikes } from '#testing/solidity/look-alikes/generate.ts'
import { Tally } from '#testing/solidity/look-alikes/tally.ts'

// To try more: npm run fuzz:lines -- --calls 20000 --seed 1
const FIRST = Number(process.env['LINES_SEED'] ?? 1)
const CALLS = process.env['LINES_CALLS'] === undefined ? undefined : Number(process.env['LINES_CALLS'])
/** Milliseconds that the slowest machine may need for one call in all pipelines and forms. */
const MS_PER_CALL = 2_000

test(
  'of contracts that invite to be merged, no line and no name is wrong in any pipeline and form of a build',
  async () => {
    const tally = new Tally()
    for (let seed = FIRST; tally.failed < (CALLS ?? 1); seed++) {
      try {
        await tally.add(`seed ${seed}`, lookAlikes(seed), CALLS === undefined)
      } catch (error) {
        // Some generated functions need more of the stack than the compiler has.
        if (!/stack too deep/i.test(String(error))) throw error
      }
    }
    if (CALLS !== undefined) {
      process.stdout.write(`${tally.failed} failed calls\n${tally.table()}\n${tally.wrong.slice(0, 50).join('\n')}\n`)
    }
    expect(tally.wrong).toEqual([])
    expect(tally.failed).toBeGreaterThan(0)
  },
  300_000 + MS_PER_CALL * (CALLS ?? 0),
)
