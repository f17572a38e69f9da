import { expect, test } from 'vitest'
import { SenderHints } from './sender-hints.ts'

/** The hint of each nonce, from 0. */
function hintsOf(nonces: readonly number[]): number[] {
  const hints = new SenderHints()
  return nonces.map((nonce) => hints.next(BigInt(nonce)) - 1)
}

test('consecutive nonces share a hint', () => {
  expect(hintsOf([7, 8, 9, 3, 4, 10])).toEqual([0, 0, 0, 1, 1, 0])
})

test('senders that alternate have separate hints, whether they send one transaction at a time or several', () => {
  expect(hintsOf([0, 0, 0, 1, 1, 1, 2, 2, 2])).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2])
  expect(hintsOf([0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5])).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])
})

test('the same nonce again gets another hint', () => {
  expect(hintsOf([5, 5, 6, 6, 7])).toEqual([0, 1, 0, 1, 0])
})

test('if there are many runs of nonces, the least recently continued ones are forgotten', () => {
  const many = Array.from({ length: 64 }, (_, i) => 10 * i)
  expect(hintsOf([...many, 1, 5, 11, 2])).toEqual([...many.keys(), 0, 64, 65, 0])
})
