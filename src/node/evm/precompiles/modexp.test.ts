import { createEVM, type PrecompileFunc } from '@ethereumjs/evm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes } from '#primitives/bytes.ts'
import { expectSame, isExactPrice, word } from '#testing/node/evm/precompiles.ts'
import { Deferral } from './deferral.ts'
import { createCommon } from './ethereumjs-common.ts'
import { deferredModexp } from './modexp.ts'

const MODEXP = 5

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
const lengths = (...values: readonly (number | bigint)[]) => concatBytes(...values.map(word))

test('equals the library’s for any operands', async () => {
  await fc.assert(
    fc.asyncProperty(bytes(70), bytes(40), bytes(70), async (base, exponent, modulus) => {
      const head = lengths(base.length, exponent.length, modulus.length)
      expect((await expectSame(MODEXP, concatBytes(head, base, exponent, modulus))).isFailure).toBe(false)
    }),
    { numRuns: 100 },
  )
})

test('reads zeros after its input', async () => {
  await fc.assert(
    fc.asyncProperty(bytes(200), fc.array(fc.nat(80), { minLength: 3, maxLength: 3 }), async (rest, sizes) => {
      const { output, isFailure } = await expectSame(MODEXP, concatBytes(lengths(...sizes), rest))
      expect([output.length, isFailure]).toEqual([sizes[2], false])
      await expectSame(MODEXP, lengths(...sizes).subarray(0, rest.length))
    }),
    { numRuns: 100 },
  )
})

test('accepts operands up to the longest length, and none longer', async () => {
  const long = new Uint8Array(1_024).fill(0xfd)
  expect((await expectSame(MODEXP, concatBytes(lengths(1_024, 2, 1_024), long, word(3), long))).isFailure).toBe(false)
  for (const sizes of [
    [1_025, 1, 1],
    [1, 1_025, 1],
    [1, 1, 1_025],
    [2n ** 256n - 1n, 1, 1],
    [0, 2n ** 64n, 0],
  ]) {
    expect((await expectSame(MODEXP, lengths(...sizes))).isFailure).toBe(true)
  }
})

test('costs what the library charges, to the last gas', async () => {
  const data = concatBytes(lengths(64, 64, 64), new Uint8Array(192).fill(0x77))
  expect(await isExactPrice(MODEXP, data)).toBe(true)
})

test.each(['Cancun', 'Prague', 'Osaka'] as const)(
  'costs what the library charges under the rules of %s',
  async (hardfork) => {
    const evm = await createEVM({ common: createCommon(1, hardfork) })
    const library = evm.precompiles.get('5'.padStart(40, '0')) as PrecompileFunc
    const own = deferredModexp(library, new Deferral())
    const size = fc.oneof(fc.nat(70), fc.nat(1_024))
    const exponents = fc.tuple(fc.nat(40), fc.nat(40), fc.nat(255), bytes(40))
    await fc.assert(
      fc.asyncProperty(size, exponents, size, async (base, [more, zeros, first, rest], modulus) => {
        const exponent = concatBytes(new Uint8Array(zeros), Uint8Array.of(first), rest, new Uint8Array(8 * more))
        // The modulus is zero: only the price matters.
        const data = concatBytes(lengths(base, exponent.length, modulus), new Uint8Array(base).fill(7), exponent)
        const input = { data, gasLimit: 10n ** 12n, common: evm.common, _EVM: evm }
        const [mine, theirs] = [await own(input), await library(input)]
        expect([mine.executionGasUsed, mine.returnValue]).toEqual([theirs.executionGasUsed, theirs.returnValue])
      }),
      { numRuns: 300 },
    )
  },
)

test('equals the library’s for short odd moduli, whatever the operands', async () => {
  const edge = fc.constantFrom(0x00, 0x01, 0x80, 0xff)
  const short = fc.oneof(
    bytes(32),
    fc.array(edge, { maxLength: 32 }).map((list) => Uint8Array.from(list)),
  )
  await fc.assert(
    fc.asyncProperty(short, bytes(34), short, async (base, exponent, modulus) => {
      const odd = modulus.map((byte, i) => (i === modulus.length - 1 ? byte | 1 : byte))
      const head = lengths(base.length, exponent.length, odd.length)
      expect((await expectSame(MODEXP, concatBytes(head, base, exponent, odd))).isFailure).toBe(false)
    }),
    { numRuns: 500 },
  )
})
