import { type WeierstrassPointCons, weierstrass } from '@noble/curves/abstract/weierstrass.js'
import { SECP256K1_ORDER } from '#engine/secp256k1-order.ts'

/** Parameters of secp256k1 (SEC 2, section 2.4.1). */
const CURVE = {
  p: 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn,
  n: SECP256K1_ORDER,
  h: 1n,
  a: 0n,
  b: 7n,
  Gx: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  Gy: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
}
/** λ(x, y) = (βx, y), and short vectors (A, B) with A + Bλ ≡ 0: as in src/engine/key-recovery.ts. */
const ENDOMORPHISM = {
  beta: 0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501een,
  basises: [
    [0x3086d221a7d46bcde86c90e49284eb15n, -0xe4437ed6010e88286f547fa90abfe4c3n],
    [0x114ca50f7a8e2f3f657c1108d9d44cfd8n, 0x3086d221a7d46bcde86c90e49284eb15n],
  ] as [[bigint, bigint], [bigint, bigint]],
}

let point: WeierstrassPointCons<bigint> | undefined

/**
 * Points of secp256k1 by complete formulas, which are right for equal and opposite points, too. Made when first asked for:
 * the library would load the system's randomness at the start of every node.
 */
export function completeFormulas(): WeierstrassPointCons<bigint> {
  point ??= weierstrass(CURVE, { endo: ENDOMORPHISM })
  return point
}
