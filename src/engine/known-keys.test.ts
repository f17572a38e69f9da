import { beforeEach, expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import type { KeyRecovery, Signed } from './key-recovery.ts'
import { KnownKeys } from './known-keys.ts'

const SIGNATURE: Signed = { digest: new Uint8Array(32), r: 1n, s: 1n, yParity: 0 }
const MAX_KEYS = 3

/** What was learnt, by its number. */
let learnt: Map<number, Uint8Array>
let keys: KnownKeys

beforeEach(() => {
  learnt = new Map()
  const recovery: Pick<KeyRecovery, 'maxKeys' | 'learn' | 'isSignedBy'> = {
    maxKeys: MAX_KEYS,
    learn: (number, key) => learnt.set(number, key),
    isSignedBy: ({ r }, number) => r === BigInt(learnt.get(number)?.[0] ?? -1),
  }
  keys = new KnownKeys(recovery as KeyRecovery)
})

const addressOf = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const by = (i: number): Signed => ({ ...SIGNATURE, r: BigInt(i) })

function sign(i: number, times: number): void {
  for (let k = 0; k < times; k++) {
    if (!keys.isSignedBy(by(i), addressOf(i))) keys.count(Uint8Array.of(i), addressOf(i))
  }
}

const isKnown = (i: number) => keys.isSignedBy(by(i), addressOf(i)) === true

test('a key is learnt with its eighth signature, and then tells its own from others', () => {
  sign(1, 7)
  expect(keys.isSignedBy(by(1), addressOf(1))).toBeUndefined()
  sign(1, 1)
  expect(keys.isSignedBy(by(1), addressOf(1))).toBe(true)
  expect(keys.isSignedBy(by(2), addressOf(1))).toBe(false)
})

test('keys that still sign make no room, however many others come (A)', () => {
  for (const i of [1, 2, 3]) sign(i, 8)
  for (let round = 0; round < 200; round++) {
    for (let i = 1; i <= 60; i++) sign(i, 1)
  }
  expect([1, 2, 3, 4].map(isKnown)).toEqual([true, true, true, false])
  expect(learnt.size).toBe(MAX_KEYS)
})

test('one that has signed none of the latest thousand makes room', () => {
  for (const i of [1, 2, 3]) sign(i, 8)
  for (let k = 0; k < 600; k++) for (const i of [2, 3]) sign(i, 1)
  sign(4, 8)
  expect([2, 3, 4].map(isKnown)).toEqual([true, true, true])
  expect(keys.isSignedBy(by(1), addressOf(1))).toBeUndefined()
})

test('a key for which there was no room is tried again, and those with few signatures are forgotten (A)', () => {
  for (const i of [1, 2, 3]) sign(i, 8)
  sign(5, 8)
  for (let i = 10; i < 250; i++) for (let k = 0; k < 5; k++) sign(i, 1)
  expect([1, 2, 3].map((i) => isKnown(i))).toEqual([true, true, true])
  for (let i = 300; i < 1_500; i++) keys.count(Uint8Array.of(0), addressOf(i))
  sign(5, 8)
  expect(isKnown(5)).toBe(true)
})
