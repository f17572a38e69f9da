import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { matchesLog } from './log-selector.ts'

const [A, B, C] = [toWord(1), toWord(2), toWord(3)]
const here = `0x${'aa'.repeat(20)}` as const
const there = `0x${'bb'.repeat(20)}` as const
const log = { address: here, topics: [A, B], data: new Uint8Array(0) }

test.each([
  ['nothing asked for', [], [], true],
  ['its address', [here], [], true],
  ['one of two addresses', [there, here], [], true],
  ['another address', [there], [], false],
  ['its first topic', [], [[A]], true],
  ['both topics', [], [[A], [B]], true],
  ['a topic at another position', [], [[B]], false],
  ['any first topic, then its second topic', [], [[], [B]], true],
  ['one of several topics', [], [[C, A]], true],
  ['more positions than it has topics', [], [[], [], []], false],
  ['its topics at another address', [there], [[A]], false],
])('a filter for %s', (_, addresses, topics, selected) => {
  expect(matchesLog(log, { addresses, topics })).toBe(selected)
})
