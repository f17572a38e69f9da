import { bls12_381 } from '@noble/curves/bls12-381.js'

const { G1, G2 } = bls12_381
const { Fp12, Fr } = bls12_381.fields

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
    if (/^0xc0(00){47}$/.test(hex)) return G1.Point.ZERO
    throw new Error('C_KZG_BADARGS', { cause })
  }
}
