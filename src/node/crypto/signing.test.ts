import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bigIntToBytes, padLeft } from '#primitives/bytes.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { recoverAddress } from './recovery.ts'
import { addressOf, SECP256K1_ORDER as N } from './secp256k1.ts'
import { addressOfKey, signDigest } from './signing.ts'

const word = (value: bigint) => padLeft(bigIntToBytes(value), 32)
const EDGES = [1n, 2n, 3n, N / 2n, N / 2n + 1n, N - 2n, N - 1n]
const KEY = fc.oneof(fc.bigInt({ min: 1n, max: N - 1n }), fc.constantFrom(...EDGES)).map(word)
const DIGEST = fc
  .oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(0n, ...EDGES, N, N + 1n, 2n ** 256n - 1n))
  .map(word)

function signByNoble(digest: Uint8Array, key: Uint8Array) {
  const bytes = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  return { r, s, yParity: recovery }
}

test('a signature by RFC 6979 is the same as that of another library, and leads to its signer', () => {
  fc.assert(
    fc.property(DIGEST, KEY, (digest, key) => {
      const signature = signDigest(digest, key)
      expect(signature).toEqual(signByNoble(digest, key))
      expect(recoverAddress(digest, signature)).toBe(addressOfKey(key))
    }),
    { numRuns: 60 },
  )
})

test('the address of a key is that of its public key, at the edges of the range, too', () => {
  for (const key of EDGES.map(word)) {
    expect(addressOfKey(key), bytesToHex(key)).toBe(addressOf(secp256k1.getPublicKey(key, false).subarray(1)))
  }
})

test('0, numbers from the order on and what is not 32 bytes long are not keys', () => {
  for (const key of [
    word(0n),
    word(N),
    word(2n ** 256n - 1n),
    new Uint8Array(31).fill(1),
    new Uint8Array(33).fill(1),
  ]) {
    expect(addressOfKey(key)).toBeUndefined()
  }
})
