import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { BLS12_381, decodeG1, decodeG2, encodeG1, encodeG2 } from './curve-points.ts'

const { fieldBytes } = BLS12_381

/**
 * The sum of two points of BLS12-381 over the base field. The subgroup is not checked, since it does not matter: the
 * check would take many times as long as the addition, and far longer than its gas pays for.
 *
 * @throws {BadPointError} If the input is not two points of the curve.
 * @see {@link https://eips.ethereum.org/EIPS/eip-2537 | EIP-2537}
 */
export function addG1(input: Uint8Array): Uint8Array {
  return encodeG1(
    BLS12_381,
    sum(input, 2 * fieldBytes, (bytes) => decodeG1(BLS12_381, bytes)),
  )
}

/** Adds two points over the quadratic extension of the field. */
export function addG2(input: Uint8Array): Uint8Array {
  return encodeG2(
    BLS12_381,
    sum(input, 4 * fieldBytes, (bytes) => decodeG2(BLS12_381, bytes)),
  )
}

function sum<Field>(
  input: Uint8Array,
  pointBytes: number,
  decode: (bytes: Uint8Array) => WeierstrassPoint<Field>,
): WeierstrassPoint<Field> {
  return decode(input.subarray(0, pointBytes)).add(decode(input.subarray(pointBytes, 2 * pointBytes)))
}
