import type { BlsCurvePair } from '@noble/curves/abstract/bls.js'
import type { Fp2 } from '@noble/curves/abstract/tower.js'
import type { WeierstrassPoint, WeierstrassPointCons } from '@noble/curves/abstract/weierstrass.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import type { BadPoint } from '#engine/curve-module.ts'
import { bigIntToBytes, bytesToBigInt, concatBytes, padLeft } from '#primitives/bytes.ts'

/** A pairing curve and the precompiles' encoding of its points; the point at infinity is all zeros. */
export interface CurveEncoding {
  readonly curve: BlsCurvePair
  /** Bytes of an element of the base field: a point of G1 has two elements, one of G2 four. */
  readonly fieldBytes: number
  /** Whether a coordinate of G2 starts with its real part. */
  readonly realFirst: boolean
}

/** alt_bn128, as in EIP-197. */
export const BN254: CurveEncoding = { curve: bn254, fieldBytes: 32, realFirst: false }
/** As in EIP-2537. */
export const BLS12_381: CurveEncoding = { curve: bls12_381, fieldBytes: 64, realFirst: true }

/** The bytes do not encode a point of the required group. */
export class BadPointError extends Error {
  override readonly name = 'BadPointError'
  readonly code: BadPoint

  constructor(code: BadPoint) {
    super(`bad point: ${code}`)
    this.code = code
  }
}

/**
 * Decodes a point of G1, in any subgroup.
 *
 * @throws {BadPointError} If a coordinate is not below the modulus or the point is not on the curve.
 */
export function decodeG1(encoding: CurveEncoding, bytes: Uint8Array): WeierstrassPoint<bigint> {
  const { Point } = encoding.curve.G1
  return onCurve(Point, fieldElement(encoding, bytes, 0), fieldElement(encoding, bytes, 1))
}

/**
 * Decodes a point of G2, in any subgroup.
 *
 * @throws {BadPointError} If a part of a coordinate is not below the modulus or the point is not on the curve.
 */
export function decodeG2(encoding: CurveEncoding, bytes: Uint8Array): WeierstrassPoint<Fp2> {
  const { curve, realFirst } = encoding
  const coordinate = (index: number) => {
    const [first, second] = [fieldElement(encoding, bytes, index), fieldElement(encoding, bytes, index + 1)]
    return curve.fields.Fp2.fromBigTuple(realFirst ? [first, second] : [second, first])
  }
  return onCurve(curve.G2.Point, coordinate(0), coordinate(2))
}

/**
 * Returns the point, which must be in the subgroup of prime order.
 *
 * @throws {BadPointError} If it is not.
 */
export function inSubgroup<Field>(point: WeierstrassPoint<Field>): WeierstrassPoint<Field> {
  if (!point.is0() && !point.isTorsionFree()) throw new BadPointError('not-in-subgroup')
  return point
}

/** The bytes of a point, unless they are what is wrong with one of its sources. @throws {BadPointError} If they are. */
export function valid(output: Uint8Array | BadPoint): Uint8Array {
  if (typeof output === 'string') throw new BadPointError(output)
  return output
}

/** The bytes of a point of G1. */
export function encodeG1(encoding: CurveEncoding, point: WeierstrassPoint<bigint>): Uint8Array {
  const { x, y } = point.toAffine()
  return joinElements(encoding, [x, y])
}

/** The bytes of a point of G2. */
export function encodeG2(encoding: CurveEncoding, point: WeierstrassPoint<Fp2>): Uint8Array {
  const { x, y } = point.toAffine()
  const parts = ({ c0, c1 }: Fp2) => (encoding.realFirst ? [c0, c1] : [c1, c0])
  return joinElements(encoding, [...parts(x), ...parts(y)])
}

/** Checked before a point is created: a point with y = 0 is on none of these curves and cannot be created. */
function onCurve<Field>(Point: WeierstrassPointCons<Field>, x: Field, y: Field): WeierstrassPoint<Field> {
  const { Fp } = Point
  if (Fp.is0(x) && Fp.is0(y)) return Point.ZERO
  // y² = x³ + b
  if (!Fp.eql(Fp.sqr(y), Fp.add(Fp.mul(Fp.sqr(x), x), Point.CURVE().b))) {
    throw new BadPointError('not-on-curve')
  }
  return Point.fromAffine({ x, y })
}

function fieldElement({ curve, fieldBytes }: CurveEncoding, bytes: Uint8Array, index: number): bigint {
  const value = bytesToBigInt(bytes.subarray(index * fieldBytes, (index + 1) * fieldBytes))
  if (!curve.fields.Fp.isValid(value)) throw new BadPointError('not-in-field')
  return value
}

function joinElements({ fieldBytes }: CurveEncoding, elements: readonly bigint[]): Uint8Array {
  return concatBytes(...elements.map((element) => padLeft(bigIntToBytes(element), fieldBytes)))
}
