import type { Fp2 } from '@noble/curves/abstract/tower.js'
import type { WeierstrassPoint, WeierstrassPointCons } from '@noble/curves/abstract/weierstrass.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { BLS12_381, BN254, type CurveEncoding, encodeG1, encodeG2 } from '#node/evm/precompiles/curve-points.ts'
import { bigIntToBytes, concatBytes } from '#primitives/bytes.ts'

/** Encoded points of one curve. */
export interface TestPoints {
  readonly infinity1: Uint8Array
  readonly infinity2: Uint8Array
  /** The generator times `scalar`, which is not 0. */
  readonly g1: (scalar: bigint) => Uint8Array
  readonly g2: (scalar: bigint) => Uint8Array
  /** A point of the curve over the quadratic extension that is not in the subgroup. */
  readonly outside2: Uint8Array
}

export const BN254_POINTS = testPoints(BN254)
export const BLS12_381_POINTS = testPoints(BLS12_381)

/** A point of BLS12-381 over the base field that is not in the subgroup; BN254 has none. */
export const OUTSIDE_BLS_G1 = encodeG1(BLS12_381, outsideOfSubgroup(bls12_381.G1.Point, BigInt))

/** `count` valid pairs. The product of their pairings is one if `count` is even. */
export function cancellingPairs({ g1, g2 }: TestPoints, order: bigint, count: number): Uint8Array {
  const pair = (i: number) => concatBytes(g1(i % 2 === 0 ? 5n : order - 5n), g2(7n))
  return concatBytes(...Array.from({ length: count }, (_, i) => pair(i)))
}

/** The bytes with the last bit of byte `at` flipped. */
export function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))
}

/** Moduli of the base fields of the two curves. */
export const MODULI = {
  bn254: bigIntToBytes(bn254.fields.Fp.ORDER),
  bls: bigIntToBytes(bls12_381.fields.Fp.ORDER),
}
/** Orders of the groups of the two curves. */
export const ORDERS = { bn254: bn254.fields.Fr.ORDER, bls: bls12_381.fields.Fr.ORDER }

function testPoints(encoding: CurveEncoding): TestPoints {
  const { curve, fieldBytes } = encoding
  return {
    infinity1: new Uint8Array(2 * fieldBytes),
    infinity2: new Uint8Array(4 * fieldBytes),
    g1: (scalar) => encodeG1(encoding, curve.G1.Point.BASE.multiply(scalar)),
    g2: (scalar) => encodeG2(encoding, curve.G2.Point.BASE.multiply(scalar)),
    outside2: encodeG2(
      encoding,
      outsideOfSubgroup<Fp2>(curve.G2.Point, (x) => curve.fields.Fp2.fromBigTuple([BigInt(x), 1n])),
    ),
  }
}

/** The point with the lowest x that is on the curve and not in the subgroup. */
function outsideOfSubgroup<Field>(
  Point: WeierstrassPointCons<Field>,
  toField: (x: number) => Field,
): WeierstrassPoint<Field> {
  const { Fp } = Point
  for (let i = 1; ; i++) {
    const x = toField(i)
    const y2 = Fp.add(Fp.mul(Fp.sqr(x), x), Point.CURVE().b)
    if (!Fp.eql(Fp.pow(y2, (Fp.ORDER - 1n) / 2n), Fp.ONE)) continue
    const point = Point.fromAffine({ x, y: Fp.sqrt(y2) })
    if (!point.isTorsionFree()) return point
  }
}
