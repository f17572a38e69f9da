import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concatBytes, padLeft } from '#primitives/bytes.ts'
import { BLS12_381_POINTS as BLS, flipped, MODULI, ORDERS, OUTSIDE_BLS_G1 } from '#testing/node/evm/points.ts'
import { expectSame, isExactPrice, runPaced, word } from '#testing/node/evm/precompiles.ts'

const [G1_ADD, G1_MSM, G2_ADD, G2_MSM] = [0xb, 0xc, 0xd, 0xe]

const ONE = word(1)
const ZERO = word(0)

describe('sums in BLS12-381', () => {
  test('equal the library’s, in any subgroup, and the point at infinity adds nothing', async () => {
    const { g1, g2, infinity1, infinity2, outside2 } = BLS
    expect((await expectSame(G1_ADD, concatBytes(g1(2n), g1(3n)))).output).toEqual(g1(5n))
    expect((await expectSame(G2_ADD, concatBytes(g2(2n), g2(3n)))).output).toEqual(g2(5n))
    expect((await expectSame(G1_ADD, concatBytes(OUTSIDE_BLS_G1, infinity1))).output).toEqual(OUTSIDE_BLS_G1)
    expect((await expectSame(G2_ADD, concatBytes(infinity2, outside2))).output).toEqual(outside2)
    expect((await expectSame(G1_ADD, concatBytes(g1(2n), g1(ORDERS.bls - 2n)))).output).toEqual(infinity1)
    expect((await expectSame(G2_ADD, concatBytes(g2(2n), g2(2n)))).output).toEqual(g2(4n))
    await expectSame(G1_ADD, concatBytes(OUTSIDE_BLS_G1, OUTSIDE_BLS_G1))
    await expectSame(G2_ADD, concatBytes(g2(9n), outside2))
  })

  test('refuse points outside the curve', async () => {
    const { g1, g2, infinity1 } = BLS
    for (const [address, data] of [
      [G1_ADD, concatBytes(g1(2n), flipped(g1(3n), 127))],
      [G1_ADD, concatBytes(flipped(g1(2n), 0), g1(3n))],
      [G1_ADD, concatBytes(padLeft(MODULI.bls, 64), new Uint8Array(64), infinity1)],
      [G1_ADD, g1(2n)],
      [G2_ADD, concatBytes(g2(2n), flipped(g2(3n), 255))],
      [G2_ADD, concatBytes(g2(2n), g2(3n), ONE)],
    ] as const) {
      expect((await expectSame(address, data)).isFailure).toBe(true)
    }
  })
})

test('sums of multiples cost what the library charges, to the last gas', async () => {
  expect(await isExactPrice(G1_MSM, new Uint8Array(3 * 160))).toBe(true)
  expect(await isExactPrice(G2_MSM, new Uint8Array(3 * 288))).toBe(true)
})

describe.each([
  { group: 'G1', address: G1_MSM, at: BLS.g1, infinity: BLS.infinity1, outside: OUTSIDE_BLS_G1 },
  { group: 'G2', address: G2_MSM, at: BLS.g2, infinity: BLS.infinity2, outside: BLS.outside2 },
])('sums of multiples in $group', ({ address, at, infinity, outside }) => {
  test('equal the library’s for any points and scalars', async () => {
    const scalar = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
    const term = fc.record({ point: fc.bigInt({ min: 1n, max: 1_000n }), scalar })
    await fc.assert(
      fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 3 }), async (terms) => {
        const data = concatBytes(...terms.flatMap((each) => [at(each.point), word(each.scalar)]))
        const sum = terms.reduce((total, each) => total + each.point * each.scalar, 0n) % ORDERS.bls
        expect((await expectSame(address, data)).output).toEqual(sum === 0n ? infinity : at(sum))
      }),
      { numRuns: 4 },
    )
  })

  test('are right for more points than share their doublings, the same one and opposite ones among them', async () => {
    for (const count of [15, 16, 17, 31, 32, 33, 70]) {
      const terms = Array.from({ length: count }, (_, i) => {
        const scalar =
          i % 9 === 0 ? BigInt(i % 2) : (0x9e3779b97f4a7c15n ** BigInt(1 + (i % 6)) * BigInt(i)) % 2n ** 256n
        return { point: i % 5 === 0 ? ORDERS.bls - 7n : BigInt(1 + (i % 7)), scalar }
      })
      const data = concatBytes(...terms.flatMap((each) => [at(each.point), word(each.scalar)]))
      const sum = terms.reduce((total, each) => total + each.point * each.scalar, 0n) % ORDERS.bls
      expect((await runPaced(address, data)).output, String(count)).toEqual(at(sum))
    }
  })

  test('take scalars of zero, the order and beyond it, and points at infinity', async () => {
    for (const scalar of [0n, ORDERS.bls, ORDERS.bls + 2n, 2n ** 256n - 1n]) {
      await expectSame(address, concatBytes(at(3n), word(scalar)))
      expect((await expectSame(address, concatBytes(infinity, word(scalar)))).output).toEqual(infinity)
    }
  })

  test('refuse points outside the subgroup or the curve, whatever the scalar', async () => {
    for (const data of [
      concatBytes(at(2n), ONE, outside, ONE),
      concatBytes(outside, ZERO),
      concatBytes(flipped(at(2n), infinity.length - 1), ZERO),
      at(2n),
      new Uint8Array(0),
    ]) {
      expect((await expectSame(address, data)).isFailure).toBe(true)
    }
  })
})
