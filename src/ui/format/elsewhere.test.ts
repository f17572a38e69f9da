import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellQuote } from './elsewhere.ts'

test('a shell reads every text as one word and unchanged', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((drawn) => !drawn.includes('\0'))
  fc.assert(
    fc.property(text, (drawn) => {
      expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(drawn)}`], { encoding: 'utf8' })).toBe(drawn)
    }),
    { numRuns: 30 },
  )
})
