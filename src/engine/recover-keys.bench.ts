import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bench, describe } from 'vitest'
import { bigIntToBytes } from '#primitives/bytes.ts'
import { keyRecoveryFor } from './recover-keys.ts'

const key = bigIntToBytes(0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80n)
const signatures = Array.from({ length: 128 }, (_, i) => {
  const digest = new Uint8Array(32).fill(i + 1)
  const bytes = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  return { digest, r, s, yParity: recovery as 0 | 1 }
})
const none = () => undefined
const numbers = signatures.map(() => 0)

/** Has learnt the key, with narrow and wide tables. */
const recovery = keyRecoveryFor(2)
recovery.learn(0, secp256k1.getPublicKey(key, false).slice(1))
for (let part = 0; !recovery.widenGenerator(part); part++);
for (let part = 0; !recovery.widen(0, 0, part); part++);

describe('128 public keys from signatures', () => {
  bench('one batch', () => {
    keyRecoveryFor(signatures.length).recover(signatures, none)
  })
  bench('one by one', () => {
    for (const signature of signatures) keyRecoveryFor(1).recover([signature], none)
  })
  bench('@noble/curves', () => {
    for (const { digest, r, s, yParity } of signatures) {
      new secp256k1.Signature(r, s, yParity).recoverPublicKey(digest).toBytes(false)
    }
  })
})

describe('128 signatures of a known key', () => {
  bench('wide tables, together', () => {
    recovery.areSignedBy(signatures, numbers, true)
  })
  bench('wide tables, one by one', () => {
    for (const signature of signatures) recovery.areSignedBy([signature], [0], true)
  })
  bench('narrow tables, together', () => {
    recovery.areSignedBy(signatures, numbers, false)
  })
})
