import { expect, test } from 'vitest'
import { answerTitle, answerWords } from './answer-words.ts'
import { arrivalWords, watchWords } from './watch-words.ts'

test('no text promises a pre-confirmation that this chain does not give', () => {
  for (const kind of ['automine', 'request'] as const) {
    const texts = [answerTitle, answerWords, watchWords, arrivalWords].map((words) => words({ kind })).join(' ')
    expect(texts).not.toMatch(/before|pending block|pre-confirmed|200/)
  }
  expect(answerWords({ kind: 'block', blockMs: 12_000 })).toBe('in a sealed block within 12\u00a0seconds')
})

test('the times are those of the chain', () => {
  expect(answerWords({ kind: 'partial', partialMs: 500, blockMs: 5_000 })).toContain('within 500\u00a0ms')
  expect(watchWords({ kind: 'partial', partialMs: 1_500, blockMs: 15_000 })).toContain('within 1.5\u00a0seconds')
})
