import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Signed } from '#engine/key-recovery.ts'

/** A signature by the `signer`-th test key; each `message` has its own digest. */
export function signatureBy(signer: number, message: number): Signed {
  const key = new Uint8Array(32).fill(signer + 1)
  const digest = new Uint8Array(32).fill(message + 1)
  const bytes = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  return { digest, r, s, yParity: recovery === 1 ? 1 : 0 }
}
