import { bls12_381 } from '@noble/curves/bls12-381.js'
import { expect, test } from 'vitest'
import { createBls12 } from '#engine/bls12-381.ts'
import type { CurveModule } from '#engine/curve-module.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { OUTSIDE_BLS_G1 } from '#testing/node/evm/points.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { verifyKzgProofFast, verifyKzgProof as verifySlowly } from './kzg.ts'

const { G1 } = bls12_381
const { Fr } = bls12_381.fields
const curve = await createBls12()
if (!curve) throw new Error('this machine lacks relaxed SIMD')

/** In WebAssembly, and by the library. */
function verifyKzgProof(...input: [commitment: string, z: string, y: string, proof: string]): boolean {
  const [slow, fast] = [() => verifySlowly(...input), () => verifyKzgProofFast(curve as CurveModule, ...input)].map(
    (verify) => {
      try {
        return verify()
      } catch (error) {
        return error as Error
      }
    },
  )
  expect(fast).toEqual(slow)
  if (fast instanceof Error) throw fast
  return fast as boolean
}

// core/vm/testdata/precompiles/pointEvaluation.json of go-ethereum, with the setup of the ceremony.
const versionedHash = '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b'
const z = '564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306'
const y = '24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1'
const commitment = '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7'
const proof = '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a'
const answer =
  '0x000000000000000000000000000000000000000000000000000000000000100073eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001'

test('the point evaluation precompile accepts the proof of geth’s test vector', async () => {
  const { request } = await createTestNode()
  const data = `0x${versionedHash}${z}${y}${commitment}${proof}`
  expect(await request('eth_call', [{ to: `0x${'0'.repeat(38)}0a`, data }, 'latest'])).toBe(answer)
})

test('a proof of another value is refused, and invalid points and field elements are bad input', () => {
  const other = `${'0'.repeat(63)}1`
  expect(verifyKzgProof(`0x${commitment}`, `0x${z}`, `0x${other}`, `0x${proof}`)).toBe(false)
  expect(() => verifyKzgProof(`0x${commitment}`, `0x${z}`, `0x${'f'.repeat(64)}`, `0x${proof}`)).toThrow(
    'C_KZG_BADARGS',
  )
  expect(() => verifyKzgProof(`0x${'11'.repeat(48)}`, `0x${z}`, `0x${y}`, `0x${proof}`)).toThrow('C_KZG_BADARGS')
})

test('the commitment to a constant has the point at infinity as its proof everywhere', () => {
  const infinity = `0xc0${'00'.repeat(47)}`
  expect(verifyKzgProof(infinity, `0x${z}`, `0x${'0'.repeat(64)}`, infinity)).toBe(true)
  expect(verifyKzgProof(infinity, `0x${z}`, `0x${y}`, infinity)).toBe(false)
})

test('points of the curve outside the group are bad input, as the commitment and as the proof', () => {
  const x = OUTSIDE_BLS_G1.slice(16, 64)
  x[0] = (x[0] as number) | 0x80
  const outside = bytesToHex(x)
  expect(() => verifyKzgProof(outside, `0x${z}`, `0x${y}`, `0x${proof}`)).toThrow('C_KZG_BADARGS')
  expect(() => verifyKzgProof(`0x${commitment}`, `0x${z}`, `0x${y}`, outside)).toThrow('C_KZG_BADARGS')
})

test('the polynomial x has any value at that value, which G₁ proves, and no other', () => {
  // [τ]G₁ of the ceremony.
  const tau = '0xad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81'
  const generator = `0x${G1.Point.BASE.toHex(true)}`
  const digits = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  for (const value of [0n, 1n, 7n ** 80n, Fr.ORDER - 1n]) {
    expect(verifyKzgProof(tau, digits(value), digits(value), generator)).toBe(true)
    expect(verifyKzgProof(tau, digits(value), digits((value + 1n) % Fr.ORDER), generator)).toBe(false)
  }
})
