import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes } from '#primitives/bytes.ts'
import { expectSame, isExactPrice, word } from '#testing/node/evm/precompiles.ts'

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
