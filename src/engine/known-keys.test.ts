import { beforeEach, expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import type { KeyRecovery, Signed } from './key-recovery.ts'
import { KnownKeys } from './known-keys.ts'

const SIGNATURE: Signed = { digest: new Uint8Array(32), r: 1n, s: 1n, yParity: 0 }
const MAX_KEYS = { narrow: 4, wide: 2 }
/** Parts of wide tables, the generator's and a key's. */
const PARTS = { generator: 3, key: 2 }

/** What was learnt, by its number. */
let learnt: Map<number, Uint8Array>
let wide: Map<number, Uint8Array>
/** Parts of wide tables that were made. */
let parts: string[]
/** How many signatures were checked at a time, and with which tables. */
let checks: string[]
let keys: KnownKeys

beforeEach(() => {
  learnt = new Map()
  wide = new Map()
  parts = []
  checks = []
  const recovery: Pick<KeyRecovery, 'maxKeys' | 'learn' | 'widenGenerator' | 'widen' | 'areSignedBy'> = {
    maxKeys: MAX_KEYS,
    learn: (number, key) => learnt.set(number, key),
    widenGenerator(part) {
      parts.push(`generator ${part}`)
      return part === PARTS.generator - 1
    },
    widen(to, from, part) {
      parts.push(`key ${part}`)
      if (part === 0) wide.set(to, learnt.get(from) as Uint8Array)
      return part === PARTS.key - 1
    },
    areSignedBy(signatures, numbers, areWide) {
      checks.push(`${signatures.length} ${areWide ? 'wide' : 'narrow'}`)
      const known = areWide ? wide : learnt
      return signatures.map(({ r }, i) => r === BigInt(known.get(numbers[i] as number)?.[0] ?? -1))
    },
  }
  keys = new KnownKeys(() => recovery as KeyRecovery)
})

const addressOf = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const by = (i: number): Signed => ({ ...SIGNATURE, r: BigInt(i) })
const areBy = (signers: readonly number[], guesses: readonly number[]) =>
  keys.areSignedBy(signers.map(by), guesses.map(addressOf))

function sign(i: number, times: number): void {
  for (let k = 0; k < times; k++) {
    if (!keys.has(addressOf(i)) || !areBy([i], [i])[0]) keys.count(Uint8Array.of(i), addressOf(i))
  }
}

const isKnown = (i: number) => keys.has(addressOf(i)) && areBy([i], [i])[0] === true

test('a key is learnt with its eighth signature, and then tells its own from others', () => {
  sign(1, 7)
  expect(keys.has(addressOf(1))).toBe(false)
  sign(1, 1)
  expect(keys.has(addressOf(1))).toBe(true)
  expect(areBy([1, 2, 1], [1, 1, 1])).toEqual([true, false, true])
})

test('a key of which eight signatures are expected at once is learnt with the first', () => {
  keys.count(Uint8Array.of(1), addressOf(1), 7)
  expect(keys.has(addressOf(1))).toBe(false)
  keys.count(Uint8Array.of(2), addressOf(2), 9)
  expect(isKnown(2)).toBe(true)
})

test('a key gets wide tables after 128 signatures, bit by bit; the generator once, before it', () => {
  sign(1, 127)
  expect(parts).toEqual([])
  sign(1, 1 + 5 * 16)
  expect(parts).toEqual(['generator 0', 'generator 1', 'generator 2', 'key 0', 'key 1'])
  checks = []
  sign(2, 8)
  expect(areBy([1, 2, 1, 2], [1, 2, 2, 2])).toEqual([true, true, false, true])
  expect(checks).toEqual(['1 wide', '3 narrow'])
  parts = []
  sign(2, 160)
  expect(parts).toEqual(['key 0', 'key 1'])
})

test('tables are made while many signatures are checked at once, too', () => {
  sign(1, 8)
  const many = Array.from({ length: 128 }, () => 1)
  areBy(many, many)
  expect(parts).toHaveLength(5)
  checks = []
  areBy(many, many)
  expect(checks).toEqual(['128 wide'])
})

test('keys that still sign make no room, however many others come (A)', () => {
  for (const i of [1, 2, 3, 4]) sign(i, 8)
  for (let round = 0; round < 200; round++) {
    for (let i = 1; i <= 60; i++) sign(i, 1)
  }
  // Two of these became wide, and left their numbers to others.
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(isKnown)).toEqual([true, true, true, true, true, true, false, false])
  expect(wide.size).toBe(MAX_KEYS.wide)
})

test('one that has signed none of the latest thousand makes room', () => {
  for (const i of [1, 2, 3, 4]) sign(i, 8)
  for (let k = 0; k < 100; k++) for (const i of [2, 3, 4]) sign(i, 1)
  for (let i = 100; i < 1_000; i++) sign(i, 1)
  sign(5, 8)
  expect([2, 3, 4].filter(isKnown)).toHaveLength(3)
  expect(isKnown(5)).toBe(true)
  expect(keys.has(addressOf(1))).toBe(false)
})

test('whoever alternates keys has wide tables made once in 128 signatures at most (A)', () => {
  let signatures = 0
  for (let round = 0; round < 60; round++) {
    for (let i = 1; i <= 9; i++) {
      sign(1 + ((round + i) % 9), 40)
      signatures += 40
    }
  }
  const made = parts.filter((part) => part === 'key 0').length
  expect(made).toBeLessThanOrEqual(signatures / 128)
  expect(parts.length).toBeLessThanOrEqual(signatures / 16)
})

test('wide tables of a key that makes room meanwhile are not made to the end', () => {
  sign(1, 130)
  for (const i of [2, 3, 4]) sign(i, 8)
  for (let i = 100; i < 1_200; i++) keys.count(Uint8Array.of(0), addressOf(i))
  expect(keys.has(addressOf(1))).toBe(true)
  sign(5, 8)
  expect(keys.has(addressOf(1))).toBe(false)
  sign(5, 300)
  expect(isKnown(5)).toBe(true)
  expect(wide.size).toBe(1)
})

test('a key for which there was no room is tried again, and those with few signatures are forgotten (A)', () => {
  for (const i of [1, 2, 3, 4]) sign(i, 8)
  sign(5, 8)
  for (let i = 10; i < 250; i++) for (let k = 0; k < 5; k++) sign(i, 1)
  expect([1, 2, 3, 4].map((i) => isKnown(i))).toEqual([true, true, true, true])
  for (let i = 300; i < 1_500; i++) keys.count(Uint8Array.of(0), addressOf(i))
  sign(5, 8)
  expect(isKnown(5)).toBe(true)
})
