import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { expect, test } from 'vitest'
import { createBls12 } from '#engine/bls12-381.ts'
import { bigIntToBytes, padLeft } from '#primitives/bytes.ts'
import { BLS12_381, encodeG1 } from './curve-points.ts'

test('elements of the field of BLS12-381 lead to the same points as in @noble/curves', async () => {
  const curve = await createBls12()
  const { ORDER } = bls12_381.fields.Fp
  for (const element of [0n, 1n, 2n, 3n, ORDER - 1n, ORDER / 2n, 5n ** 150n, 7n ** 130n]) {
    const expected = encodeG1(
      BLS12_381,
      bls12_381.G1.mapToCurve(element as never) as unknown as WeierstrassPoint<bigint>,
    )
    expect(curve?.mapG1(padLeft(bigIntToBytes(element), 48)), String(element)).toEqual(expected)
  }
  expect(curve?.mapG1(padLeft(bigIntToBytes(ORDER), 48))).toBe('not-in-field')
})
