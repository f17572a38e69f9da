import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes } from '#primitives/bytes.ts'
import { expectSame, word } from '#testing/node/evm/precompiles.ts'

const BLAKE2F = 9

const input = (rounds: number, rest: Uint8Array, flag: number) =>
  concatBytes(word(rounds).subarray(28), rest, Uint8Array.of(flag))

test('equals the library’s for any state, message and number of rounds', async () => {
  const rest = fc.uint8Array({ minLength: 208, maxLength: 208 })
  await fc.assert(
    fc.asyncProperty(fc.nat(30), rest, fc.nat(2), async (rounds, bytes, flag) => {
      const { isFailure } = await expectSame(BLAKE2F, input(rounds, bytes, flag))
      expect(isFailure).toBe(flag > 1)
    }),
    { numRuns: 200 },
  )
})

test('is the same in several portions', async () => {
  const bytes = Uint8Array.from({ length: 208 }, (_, i) => 251 * i)
  for (const rounds of [65_535, 65_536, 65_537, 200_003]) {
    expect((await expectSame(BLAKE2F, input(rounds, bytes, 1))).gas).toBe(BigInt(rounds))
  }
})

test('refuses other lengths, and rounds that are not paid for', async () => {
  const bytes = new Uint8Array(208)
  expect((await expectSame(BLAKE2F, input(1, bytes, 1).subarray(1))).isFailure).toBe(true)
  expect((await expectSame(BLAKE2F, concatBytes(input(1, bytes, 1), Uint8Array.of(0)))).isFailure).toBe(true)
  expect((await expectSame(BLAKE2F, new Uint8Array(0))).isFailure).toBe(true)
  expect((await expectSame(BLAKE2F, input(12, bytes, 1), 12n)).isFailure).toBe(false)
  expect((await expectSame(BLAKE2F, input(13, bytes, 1), 12n)).isFailure).toBe(true)
  expect((await expectSame(BLAKE2F, input(2 ** 32 - 1, bytes, 1))).isFailure).toBe(true)
})
