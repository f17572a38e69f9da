// What the comparison of precompiles runs: an input for each, and a contract that calls one over and over.
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** Address of the contract, whose code the call brings along. */
export const LOOP = '0x00000000000000000000000000000000000b1005'

/** [τ]G₁ of Ethereum's trusted setup, compressed. */
const TAU_G1 = 'ad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81'

/** @param {bigint | number} value @param {number} [bytes] */
const hex = (value, bytes = 32) => value.toString(16).padStart(2 * bytes, '0')
/** Repeats itself after 2^32 words only. @param {number} seed */
const word = (seed) => Buffer.from(sha256(Uint8Array.of(seed))).toString('hex')
/** @param {string} digits */
const bytes = (digits) => Uint8Array.from(Buffer.from(digits, 'hex'))
/** @param {Uint8Array} data */
const digitsOf = (data) => Buffer.from(data).toString('hex')
/** @param {number} count @param {(i: number) => string} each */
const repeated = (count, each) => Array.from({ length: count }, (_, i) => each(i)).join('')

/** @param {{ fields: { Fr: { ORDER: bigint } } }} curve @param {number} seed */
const scalar = (curve, seed) => BigInt(`0x${word(seed)}`) % curve.fields.Fr.ORDER

/** @param {bigint} k */
function bnG1(k) {
  const { x, y } = bn254.G1.Point.BASE.multiply(k).toAffine()
  return hex(x) + hex(y)
}
/** @param {bigint} k */
function bnG2(k) {
  const { x, y } = bn254.G2.Point.BASE.multiply(k).toAffine()
  return hex(x.c1) + hex(x.c0) + hex(y.c1) + hex(y.c0)
}
/** @param {bigint} k */
function blsG1(k) {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(k).toAffine()
  return hex(x, 64) + hex(y, 64)
}
/** @param {bigint} k */
function blsG2(k) {
  const { x, y } = bls12_381.G2.Point.BASE.multiply(k).toAffine()
  return hex(x.c0, 64) + hex(x.c1, 64) + hex(y.c0, 64) + hex(y.c1, 64)
}

function ecrecover() {
  const key = bytes(word(1))
  const digest = bytes(word(2))
  const [recovery = 0, ...signature] = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  return word(2) + hex(27 + recovery) + digitsOf(Uint8Array.from(signature))
}

function p256Verify() {
  const key = bytes(word(3))
  const digest = bytes(word(4))
  const signature = p256.sign(digest, key, { prehash: false })
  return word(4) + digitsOf(signature) + digitsOf(p256.getPublicKey(key, false).subarray(1))
}

/** @param {number} size - Bytes of base and modulus. @param {string} exponent */
function modexp(size, exponent) {
  const modulus = (repeated(size / 32, (i) => word(100 + i)).slice(0, -1) + 'f').replace(/^./, 'f')
  return (
    hex(size) + hex(exponent.length / 2) + hex(size) + repeated(size / 32, (i) => word(50 + i)) + exponent + modulus
  )
}

/**
 * A point evaluation of the polynomial x: its commitment is τG, which the trusted setup has as the second point, its value
 * at z is z, and its proof is G.
 */
function pointEvaluation() {
  const generator = digitsOf(bls12_381.G1.Point.BASE.toBytes(true))
  const z = hex(scalar(bls12_381, 7))
  const versioned = `01${digitsOf(sha256(bytes(TAU_G1))).slice(2)}`
  return versioned + z + z + TAU_G1 + generator
}

const bnPairs = (/** @type {number} */ count) =>
  repeated(count, (i) => bnG1(i % 2 === 0 ? 5n : bn254.fields.Fr.ORDER - 5n) + bnG2(BigInt(7 + (i >> 1))))
const blsPairs = (/** @type {number} */ count) =>
  repeated(count, (i) => blsG1(i % 2 === 0 ? 5n : bls12_381.fields.Fr.ORDER - 5n) + blsG2(BigInt(7 + (i >> 1))))
const msm1 = (/** @type {number} */ count) => repeated(count, (i) => blsG1(BigInt(11 + i)) + hex(scalar(bls12_381, i)))
const msm2 = (/** @type {number} */ count) => repeated(count, (i) => blsG2(BigInt(11 + i)) + hex(scalar(bls12_381, i)))
const P = bls12_381.fields.Fp.ORDER
const field = (/** @type {number} */ seed) => hex(BigInt(`0x${word(seed)}${word(seed + 1)}`) % P, 64)

/**
 * @typedef {object} PrecompileCall
 * @property {string} name
 * @property {number} address
 * @property {number} least - The goal, as a ratio to anvil.
 * @property {string} input - Hex digits.
 * @property {number} times - How often a call of the contract calls it.
 */

/** @type {readonly PrecompileCall[]} */
export const precompileCalls = [
  { name: 'ECRECOVER', address: 1, least: 0.5, input: ecrecover(), times: 200 },
  { name: 'SHA-256, 64 bytes', address: 2, least: 0.5, input: word(1) + word(2), times: 6000 },
  { name: 'SHA-256, 16 KiB', address: 2, least: 0.5, input: repeated(512, word), times: 300 },
  { name: 'RIPEMD-160, 64 bytes', address: 3, least: 0.5, input: word(1) + word(2), times: 2000 },
  {
    name: 'modexp, 32 bytes',
    address: 5,
    least: 0.5,
    input: modexp(
      32,
      repeated(1, (i) => word(9 + i)),
    ),
    times: 400,
  },
  { name: 'modexp, 256 bytes, 65537', address: 5, least: 0.5, input: modexp(256, '010001'), times: 60 },
  {
    name: 'modexp, 256 bytes',
    address: 5,
    least: 0.5,
    input: modexp(
      256,
      repeated(8, (i) => word(9 + i)),
    ),
    times: 1,
  },
  { name: 'modexp, 1,024 bytes', address: 5, least: 0.5, input: modexp(1024, 'ffffffffffffff'), times: 1 },
  { name: 'bn254 add', address: 6, least: 0.7, input: bnG1(5n) + bnG1(9n), times: 1000 },
  { name: 'bn254 mul', address: 7, least: 0.7, input: bnG1(5n) + word(8), times: 60 },
  { name: 'bn254 pairing, 2 pairs', address: 8, least: 0.7, input: bnPairs(2), times: 6 },
  { name: 'bn254 pairing, 4 pairs', address: 8, least: 0.7, input: bnPairs(4), times: 4 },
  {
    name: 'BLAKE2F, 12 rounds',
    address: 9,
    least: 0.5,
    input: hex(12, 4) + repeated(6, word) + hex(0, 16) + '01',
    times: 2000,
  },
  {
    name: 'BLAKE2F, 2 M rounds',
    address: 9,
    least: 0.5,
    input: hex(2_000_000, 4) + repeated(6, word) + hex(0, 16) + '01',
    times: 1,
  },
  { name: 'KZG point evaluation', address: 10, least: 0.5, input: pointEvaluation(), times: 6 },
  { name: 'BLS12-381 G1 add', address: 11, least: 0.5, input: blsG1(5n) + blsG1(9n), times: 800 },
  { name: 'BLS12-381 G1 MSM, 1', address: 12, least: 0.5, input: msm1(1), times: 20 },
  { name: 'BLS12-381 G1 MSM, 32', address: 12, least: 0.5, input: msm1(32), times: 1 },
  { name: 'BLS12-381 G2 add', address: 13, least: 0.5, input: blsG2(5n) + blsG2(9n), times: 500 },
  { name: 'BLS12-381 G2 MSM, 1', address: 14, least: 0.5, input: msm2(1), times: 4 },
  { name: 'BLS12-381 G2 MSM, 4', address: 14, least: 0.5, input: msm2(4), times: 1 },
  { name: 'BLS12-381 pairing, 2 pairs', address: 15, least: 0.5, input: blsPairs(2), times: 6 },
  { name: 'BLS12-381 map to G1', address: 16, least: 0.5, input: field(1), times: 40 },
  { name: 'BLS12-381 map to G2', address: 17, least: 0.5, input: field(1) + field(3), times: 12 },
  { name: 'P-256', address: 256, least: 0.7, input: p256Verify(), times: 60 },
]

/**
 * Code that calls a precompile with its own input, and returns the gas that all calls have used and the hash of the last
 * output; it reverts when one fails.
 *
 * @param {Pick<PrecompileCall, 'address' | 'times'>} call
 */
export function loopCode({ address, times }) {
  const call = `5f5f365f61${hex(address, 2)}5afa15603657`
  const answer = '5a90035f523d5f60203e3d60202060205260405ff3'
  return `0x365f5f375a63${hex(times, 4)}5b${call}6001900380600a5750${answer}5b5f5ffd`
}
