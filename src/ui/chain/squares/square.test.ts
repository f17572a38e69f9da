import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { lookOf, squareOf } from './square.ts'

const [ALICE, BOB] = ['0x0a', '0x0b'] as const
const tx = { hash: toWord(7), from: ALICE, to: BOB, value: 1n, reverted: false }

test('a look tells the state, who sent it, and whether it is looked for', () => {
  expect(lookOf(squareOf(tx, 'preconfirmed', new Set()), undefined)).toBe('preconfirmed')
  expect(lookOf(squareOf(tx, 'sealed', new Set([tx.hash])), undefined)).toBe('sealed own')
  expect(lookOf(squareOf({ ...tx, reverted: true }, 'sealed', new Set()), undefined)).toBe('reverted')
})

test('what is looked for is found by its hash and by both its accounts; all else is faint', () => {
  const square = squareOf(tx, 'mempool', new Set())
  for (const wanted of [tx.hash, ALICE, BOB]) expect(lookOf(square, wanted)).toBe('mempool found')
  expect(lookOf(square, toWord(8))).toBe('mempool faint')
  expect(lookOf({ ...square, tx: undefined }, ALICE)).toBe('mempool faint')
})

test('of a block that is looked for every square is found, known or not; of the others none', () => {
  const square = squareOf(tx, 'sealed', new Set())
  expect(lookOf(square, 'every')).toBe('sealed found')
  expect(lookOf({ ...square, tx: undefined }, 'every')).toBe('sealed found')
  expect(lookOf(square, 'none')).toBe('sealed faint')
})
