import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concatBytes, padLeft } from '#primitives/bytes.ts'
import { BLS12_381_POINTS, BN254_POINTS, cancellingPairs, flipped, MODULI, ORDERS } from '#testing/node/evm/points.ts'
import { expectSame, isExactPrice, word } from '#testing/node/evm/precompiles.ts'

const TRUE = word(1)
const FALSE = word(0)

describe.each([
  { curve: 'BN254', address: 8, points: BN254_POINTS, order: ORDERS.bn254, modulus: padLeft(MODULI.bn254, 32) },
  { curve: 'BLS12-381', address: 15, points: BLS12_381_POINTS, order: ORDERS.bls, modulus: padLeft(MODULI.bls, 64) },
])('pairings on $curve', ({ curve, address, points, order, modulus }) => {
  test('are one exactly if the exponents cancel out', async () => {
    expect((await expectSame(address, cancellingPairs(points, order, 4))).output).toEqual(TRUE)
    expect((await expectSame(address, cancellingPairs(points, order, 3))).output).toEqual(FALSE)
  })

  test('with the point at infinity are one', async () => {
    const { g1, g2, infinity1, infinity2 } = points
    for (const data of [
      concatBytes(infinity1, g2(3n)),
      concatBytes(g1(3n), infinity2),
      concatBytes(infinity1, infinity2),
    ]) {
      expect((await expectSame(address, data)).output).toEqual(TRUE)
    }
    expect((await expectSame(address, concatBytes(infinity1, g2(3n), g1(2n), g2(3n)))).output).toEqual(FALSE)
  })

  test('are bilinear for any scalars, as in the library', async () => {
    const scalar = fc.bigInt({ min: 1n, max: order - 1n })
    await fc.assert(
      fc.asyncProperty(scalar, scalar, async (a, b) => {
        const data = concatBytes(points.g1(a), points.g2(b), points.g1(order - ((a * b) % order)), points.g2(1n))
        expect((await expectSame(address, data)).output).toEqual(TRUE)
      }),
      { numRuns: 3 },
    )
  })

  test('refuse points outside the groups', async () => {
    const { g1, g2, infinity1, infinity2, outside2 } = points
    const valid = concatBytes(g1(2n), g2(3n))
    const [first, second] = [infinity1.length, infinity2.length]
    const zeros = (length: number) => new Uint8Array(length)
    for (const data of [
      flipped(valid, first - 1),
      flipped(valid, first + second - 1),
      concatBytes(g1(2n), outside2),
      // Off the curve, although the other point is at infinity.
      concatBytes(infinity1, flipped(g2(3n), second - 1)),
      concatBytes(flipped(g1(2n), first - 1), infinity2),
      // Coordinates not below the modulus, also for the point at infinity.
      concatBytes(modulus, zeros(first - modulus.length), infinity2),
      concatBytes(infinity1, modulus, zeros(second - modulus.length)),
      // No point has y = 0.
      concatBytes(zeros(modulus.length - 1), Uint8Array.of(1), zeros(modulus.length), infinity2),
      valid.subarray(1),
      concatBytes(valid, Uint8Array.of(0)),
    ]) {
      expect((await expectSame(address, data)).isFailure).toBe(true)
    }
  })

  test('of no pairs are one on BN254, and refused on BLS12-381', async () => {
    expect((await expectSame(address, new Uint8Array(0))).isFailure).toBe(curve === 'BLS12-381')
  })

  test('cost what the library charges, to the last gas', async () => {
    const data = concatBytes(points.infinity1, points.infinity2)
    expect(await isExactPrice(address, data)).toBe(true)
  })
})
