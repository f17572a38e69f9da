import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { CurveModule } from '#engine/curve-module.ts'
import { concatBytes } from '#primitives/bytes.ts'
import { hexToBytes } from '#primitives/hex.ts'
import { BLS12_381, encodeG1, encodeG2 } from './curve-points.ts'

const { G1, G2 } = bls12_381
const { Fp12, Fr } = bls12_381.fields

const INFINITY_HEX = /^0xc0(00){47}$/
const COMPRESSED_BYTES = 48

/** [τ]G₂ of the Ethereum KZG ceremony: the only part of the trusted setup needed to check one proof. */
const TAU_G2 = G2.Point.fromHex(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
)

/**
 * Whether `proof` proves that the committed polynomial has the value `y` at `z`: the point evaluation precompile.
 *
 * @param commitment - Compressed G1 point, `0x` and 48 bytes; `proof` likewise. `z` and `y` are field elements of 32
 * bytes.
 * @throws {Error} `C_KZG_BADARGS`, as the EVM expects, if a point or field element is invalid.
 * @see {@link https://eips.ethereum.org/EIPS/eip-4844#point-evaluation-precompile | EIP-4844}
 */
export function verifyKzgProof(commitment: string, z: string, y: string, proof: string): boolean {
  const [at, value] = [fieldElement(z), fieldElement(y)]
  const left = times(G1.Point.BASE, Fr.neg(value)).add(point(commitment))
  const right = times(G2.Point.BASE, Fr.neg(at)).add(TAU_G2)
  // e(C − [y]G₁, −G₂) · e(proof, [τ]G₂ − [z]G₂) = 1; the point at infinity adds nothing to the product.
  const pairs = [
    { g1: left, g2: G2.Point.BASE.negate() },
    { g1: point(proof), g2: right },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  return Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE)
}

function times<Point extends { multiplyUnsafe(scalar: bigint): Point }>(base: Point, scalar: bigint): Point {
  return base.multiplyUnsafe(scalar)
}

function fieldElement(hex: string): bigint {
  const value = BigInt(hex)
  if (value >= Fr.ORDER) throw new Error('C_KZG_BADARGS')
  return value
}

function point(hex: string) {
  try {
    const decoded = G1.Point.fromHex(hex.slice(2))
    decoded.assertValidity()
    return decoded
  } catch (cause) {
    if (INFINITY_HEX.test(hex)) return G1.Point.ZERO
    throw new Error('C_KZG_BADARGS', { cause })
  }
}

/** G₁, −G₂ and [τ]G₂, as the precompiles have points. */
const POINTS = {
  g1: encodeG1(BLS12_381, G1.Point.BASE),
  negativeG2: encodeG2(BLS12_381, G2.Point.BASE.negate()),
  tauG2: encodeG2(BLS12_381, TAU_G2),
}

/** {@link verifyKzgProof} in WebAssembly. */
export function verifyKzgProofFast(
  curve: CurveModule,
  commitment: string,
  z: string,
  y: string,
  proof: string,
): boolean {
  const [at, value] = [fieldElement(z), fieldElement(y)]
  const committed = decompressed(curve, commitment)
  const proven = decompressed(curve, proof)
  // e(C − [y]G₁ + [z]proof, −G₂) · e(proof, [τ]G₂) = 1: all multiples are in the first group.
  curve.beginSum('G1')
  curve.addMultipleG1(POINTS.g1, Fr.neg(value))
  for (const outcome of [curve.addMultipleG1(committed, 1n), curve.addMultipleG1(proven, at)]) {
    if (outcome !== 'good' && outcome !== 'infinity') throw new Error('C_KZG_BADARGS')
  }
  const left = curve.finishSumG1()
  // The points are in the groups.
  curve.beginPairings()
  curve.addPair(concatBytes(left, POINTS.negativeG2), false)
  curve.addPair(concatBytes(proven, POINTS.tauG2), false)
  return curve.isProductOne()
}

const IS_COMPRESSED = 0x80
const IS_INFINITY = 0x40
const IS_LARGER = 0x20

/** @throws {Error} `C_KZG_BADARGS` if it is no point of the curve. */
function decompressed(curve: CurveModule, hex: string): Uint8Array {
  if (INFINITY_HEX.test(hex)) return new Uint8Array(2 * BLS12_381.fieldBytes)
  const x = hexToBytes(hex)
  const flags = x[0] as number
  const isValid = x.length === COMPRESSED_BYTES && (flags & (IS_COMPRESSED | IS_INFINITY)) === IS_COMPRESSED
  x[0] = flags & (IS_LARGER - 1)
  const decoded = isValid ? curve.decompress(x, (flags & IS_LARGER) !== 0) : 'not-in-field'
  if (typeof decoded === 'string') throw new Error('C_KZG_BADARGS')
  return decoded
}
