import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const WORDS = ['port', 'host', 'partials', 'partial-ms', 'fork-url', 'op']

test.each([
  ['prot', 'port'],
  ['pport', 'port'],
  ['forkurl', 'fork-url'],
  ['fork-rul', 'fork-url'],
  ['partials', 'partials'],
  // Too few of its letters are right.
  ['pa', undefined],
  ['private-key', undefined],
  ['', undefined],
])('who writes %j may have meant %j', (word, meant) => {
  expect(nearest(word, WORDS)).toBe(meant)
})
