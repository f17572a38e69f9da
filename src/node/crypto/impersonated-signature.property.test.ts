import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Address, bytesToHex } from '#primitives/hex.ts'
import { impersonatedSignature, impersonatedSigner } from './impersonated-signature.ts'
import { recoverAddress } from './recovery.ts'
import { SECP256K1_HALF_ORDER, SECP256K1_ORDER } from './secp256k1.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const accounts = bytes(20).map((value): Address => bytesToHex(value))

test('it stands for its account and its digest alone, and is a signature in the form that contracts ask for', () => {
  fc.assert(
    fc.property(accounts, bytes(32), bytes(32), (account, digest, other) => {
      const signature = impersonatedSignature(account, digest)
      expect(impersonatedSigner(digest, signature)).toBe(account)
      expect(signature.r > 0n && signature.r < SECP256K1_ORDER).toBe(true)
      expect(signature.s > 0n && signature.s <= SECP256K1_HALF_ORDER).toBe(true)
      if (bytesToHex(digest) !== bytesToHex(other)) expect(impersonatedSigner(other, signature)).toBeUndefined()
      const { r, s } = signature
      expect(impersonatedSigner(digest, { r, s: s + 1n, yParity: 0 })).toBeUndefined()
      expect(impersonatedSigner(digest, { r: r ^ 1n, s, yParity: 0 })).toBeUndefined()
      expect(impersonatedSigner(digest, { r, s, yParity: 1 })).toBeUndefined()
      // Elsewhere it is a stranger's, or nobody's.
      expect(recoverAddress(digest, signature)).not.toBe(account)
    }),
  )
})
