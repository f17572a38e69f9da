import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordMachine } from '#testing/engine/words.ts'
import { wasm as arithmetic } from './assembly/evm/words/arithmetic.ts?wasm'
import { wasm as bits } from './assembly/evm/words/bits.ts?wasm'
import { wasm as division } from './assembly/evm/words/division.ts?wasm'

const BITS = 256n
const MOST = 2n ** BITS - 1n
const wrap = (value: bigint) => BigInt.asUintN(256, value)
const signed = (value: bigint) => BigInt.asIntN(256, value)
const bool = (value: boolean) => (value ? 1n : 0n)

/** Edges, numbers of any length, and words whose digits are all ones or zeros, where carries run far. */
const word = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, 3n, 31n, 32n, 255n, 256n, 2n ** 32n, 2n ** 64n, 2n ** 128n, 2n ** 255n, MOST - 1n, MOST),
  fc.tuple(fc.bigInt({ min: 0n, max: MOST }), fc.nat(255)).map(([value, shift]) => value >> BigInt(shift)),
  fc
    .array(fc.constantFrom(0n, 1n, 0x7fffffffn, 0x80000000n, 0xfffffffen, 0xffffffffn), { minLength: 8, maxLength: 8 })
    .map((digits) => digits.reduce<bigint>((value, digit) => (value << 32n) | digit, 0n)),
)

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = wrap(result * result)
    if (bit === '1') result = wrap(result * base)
  }
  return result
}

function signExtend(index: bigint, value: bigint): bigint {
  return index >= 31n ? value : wrap(BigInt.asIntN(8 * Number(index) + 8, value))
}

const two: Record<string, (a: bigint, b: bigint) => bigint> = {
  add: (a, b) => wrap(a + b),
  sub: (a, b) => wrap(a - b),
  mul: (a, b) => wrap(a * b),
  exp: power,
  div: (a, b) => (b === 0n ? 0n : a / b),
  mod: (a, b) => (b === 0n ? 0n : a % b),
  sdiv: (a, b) => (b === 0n ? 0n : wrap(signed(a) / signed(b))),
  smod: (a, b) => (b === 0n ? 0n : wrap(signed(a) % signed(b))),
  lt: (a, b) => bool(a < b),
  slt: (a, b) => bool(signed(a) < signed(b)),
  eq: (a, b) => bool(a === b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  byte: (a, b) => (a > 31n ? 0n : (b >> (248n - 8n * a)) & 0xffn),
  shl: (a, b) => (a >= BITS ? 0n : wrap(b << a)),
  shr: (a, b) => (a >= BITS ? 0n : b >> a),
  sar: (a, b) => wrap(signed(b) >> (a >= BITS ? 255n : a)),
  signextend: signExtend,
}
const machines = await Promise.all([arithmetic, division, bits].map(wordMachine))
const machineOf = (name: string) => machines.find(({ functions }) => name in functions) ?? expect.fail(`no ${name}`)
const shiftOrWord = fc.oneof(fc.bigInt({ min: 0n, max: 260n }), word)

test.each(Object.keys(two))('%s of two words matches BigInt', (name) => {
  const machine = machineOf(name)
  fc.assert(
    fc.property(shiftOrWord, word, fc.nat(2), (a, b, at) => {
      expect(machine.run(name, [a, b], at)).toBe(two[name]?.(a, b))
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  ['addmod', (a: bigint, b: bigint, n: bigint) => (n === 0n ? 0n : (a + b) % n)],
  ['mulmod', (a: bigint, b: bigint, n: bigint) => (n === 0n ? 0n : (a * b) % n)],
] as const)('%s of three words is what BigInt says', (name, oracle) => {
  const machine = machineOf(name)
  fc.assert(
    fc.property(word, word, word, fc.constantFrom(0n, 64n, 128n, 192n), fc.nat(3), (lower, b, n, below, at) => {
      // Limbs of a quotient are hardest to find where a factor begins like the modulus.
      const a = below === 0n ? lower : ((n >> below) << below) | BigInt.asUintN(Number(below), lower)
      expect(machine.run(name, [a, b, n], at)).toBe(oracle(a, b, n))
    }),
    { numRuns: 3_000 },
  )
})

test('products modulo the same word again and again are what BigInt says, also after another modulus', () => {
  const machine = machineOf('mulmod')
  const modulus = fc.oneof(
    word,
    fc.bigInt({ min: 2n ** 192n, max: MOST }),
    fc.constantFrom(2n ** 192n, 2n ** 192n + 1n, 2n ** 255n, 2n ** 255n + 1n, MOST - 1n, MOST),
  )
  // Factors just below the modulus, and multiples of its parts, have quotients that are hard to find.
  const factors = fc.tuple(fc.oneof(word, fc.bigInt(0n, 9n)), fc.oneof(word, fc.bigInt(0n, 9n)), fc.nat(3), fc.nat(3))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(modulus, fc.array(factors, { minLength: 20, maxLength: 40 })), { minLength: 1, maxLength: 3 }),
      (parts) => {
        for (const [n, pairs] of parts) {
          for (const [x, y, kind, at] of pairs) {
            const a = kind === 1 || kind === 3 ? wrap(n - x) : kind === 2 && n !== 0n ? x % n : x
            const b = kind === 3 ? wrap(n - y) : y
            expect(machine.run('mulmod', [a, b, n], at)).toBe(n === 0n ? 0n : (a * b) % n)
          }
        }
      },
    ),
    { numRuns: 500 },
  )
})

test.each([
  ['iszero', (a: bigint) => bool(a === 0n)],
  ['not', (a: bigint) => MOST - a],
  ['clzWord', (a: bigint) => BITS - BigInt(a === 0n ? 0 : a.toString(2).length)],
] as const)('%s of a word is what BigInt says', (name, oracle) => {
  const machine = machineOf(name)
  fc.assert(
    fc.property(word, fc.nat(1), (a, at) => {
      expect(machine.run(name, [a], at)).toBe(oracle(a))
    }),
    { numRuns: 1_000 },
  )
})
