import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes } from '#primitives/bytes.ts'
import { word } from '#testing/node/evm/precompiles.ts'
import { SECP256K1_ORDER as N } from '../../crypto/secp256k1.ts'
import { ecrecover } from './ecrecover.ts'
import { PrecompileSet } from './precompile-set.ts'

const guard = { checkpoint: () => undefined }
const reference = await PrecompileSet.create(31337, 'Osaka')

const expected = (input: Uint8Array, gas = 3000n) => reference.run(1, input, gas, guard)

/** Mostly below the order, plus values around its bounds. */
const scalar = fc.oneof(
  fc.bigInt({ min: 1n, max: N - 1n }),
  fc.constantFrom(0n, 1n, N - 1n, N, N + 1n, 2n ** 256n - 1n),
)
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('for any four words the result equals the reference engine’s', async () => {
  const v = fc.oneof(fc.constantFrom(27n, 28n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
  await fc.assert(
    fc.asyncProperty(bytes32, v, scalar, scalar, async (digest, ...numbers) => {
      const input = concatBytes(digest, ...numbers.map(word))
      expect(ecrecover(input, 3000n)).toEqual(await expected(input))
    }),
    { numRuns: 500 },
  )
})

test('ECRECOVER finds the same signers as @noble/curves', () => {
  fc.assert(
    fc.property(bytes32, fc.bigInt({ min: 1n, max: N - 1n }), (digest, key) => {
      const [recovery = 0, ...signature] = secp256k1.sign(digest, word(key), { prehash: false, format: 'recovered' })
      const { output } = ecrecover(concatBytes(digest, word(27 + recovery), Uint8Array.from(signature)), 3000n) as {
        output: Uint8Array
      }
      const publicKey = secp256k1.getPublicKey(word(key), false).subarray(1)
      expect(output).toEqual(concatBytes(new Uint8Array(12), keccak_256(publicKey).subarray(12)))
    }),
    { numRuns: 200 },
  )
})

test('the complete formulas handle equal intermediate points', async () => {
  // With R = G, digest and s make u₁ = −digest and u₂ = s.
  const x = secp256k1.Point.BASE.toAffine().x
  for (const [digest, s] of [
    [1n, 1n],
    [1n, N - 1n],
    [N - 1n, 1n],
    [0n, 1n],
    [2n, 1n],
  ] as const) {
    for (const v of [27, 28]) {
      const input = concatBytes(word(digest), word(v), word(x), word(s))
      expect(ecrecover(input, 3000n)).toEqual(await expected(input))
    }
  }
})

test('short and long input and too little gas give the same results as on the reference engine', async () => {
  const input = concatBytes(word(5), word(27), word(3), word(4))
  const inputs = [0, 31, 63, 64, 95, 127, 128].map((length) => input.subarray(0, length))
  for (const bytes of [...inputs, concatBytes(input, word(9))]) {
    expect(ecrecover(bytes, 3000n)).toEqual(await expected(bytes))
  }
  expect(ecrecover(input, 2999n)).toEqual(await expected(input, 2999n))
})
