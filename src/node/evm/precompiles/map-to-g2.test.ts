import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBls12 } from '#engine/bls12-381.ts'
import { bigIntToBytes, concatBytes, padLeft } from '#primitives/bytes.ts'
import { expectSame } from '#testing/node/evm/precompiles.ts'
import { BLS12_381, encodeG2 } from './curve-points.ts'

const MAP_TO_G2 = 0x11
const { ORDER } = bls12_381.fields.Fp
type Fp2Point = WeierstrassPoint<{ readonly c0: bigint; readonly c1: bigint }>

const input = (real: bigint, imaginary: bigint) =>
  concatBytes(padLeft(bigIntToBytes(real), 64), padLeft(bigIntToBytes(imaginary), 64))

const expected = (real: bigint, imaginary: bigint) =>
  encodeG2(BLS12_381, bls12_381.G2.mapToCurve([real, imaginary]) as unknown as Fp2Point)

test('elements of the extension lead to the same points as in @noble/curves, also where a part is zero', async () => {
  const curve = await createBls12()
  const edges = [0n, 1n, 2n, 5n, ORDER - 1n, ORDER - 2n, ORDER >> 1n, (ORDER + 1n) >> 1n]
  for (const real of edges) {
    for (const imaginary of edges) {
      expect(curve?.mapG2(input(real, imaginary)), `${real}, ${imaginary}`).toEqual(expected(real, imaginary))
    }
  }
})

test('any element does', async () => {
  const curve = await createBls12()
  const part = fc.bigInt({ min: 0n, max: ORDER - 1n })
  fc.assert(
    fc.property(part, part, (real, imaginary) => {
      expect(curve?.mapG2(input(real, imaginary))).toEqual(expected(real, imaginary))
    }),
    { numRuns: 50 },
  )
})

test('the precompile refuses what is no element, as the library does', async () => {
  for (const [real, imaginary] of [
    [ORDER, 0n],
    [0n, ORDER],
    [ORDER - 1n, ORDER + 1n],
    [1n << 384n, 1n],
    [1n, (1n << 512n) - 1n],
  ] as const) {
    expect((await expectSame(MAP_TO_G2, input(real, imaginary))).isFailure).toBe(true)
  }
  expect((await expectSame(MAP_TO_G2, input(3n, 4n).subarray(1))).isFailure).toBe(true)
  expect((await expectSame(MAP_TO_G2, input(3n, 4n))).isFailure).toBe(false)
  expect((await expectSame(MAP_TO_G2, input(3n, 4n), 23_799n)).isFailure).toBe(true)
})
