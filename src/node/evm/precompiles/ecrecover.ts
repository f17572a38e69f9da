import { bytesToBigInt, EMPTY_BYTES } from '#primitives/bytes.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { recoverPublicKey } from '../../crypto/recovery.ts'
import type { PrecompileResult } from './precompile-set.ts'

/** Number of the precompile that recovers signers. */
export const ECRECOVER = 1

const GAS = 3000n
const INPUT_BYTES = 128

/**
 * Recovers a signer like the reference engine, without its overhead.
 *
 * @param input - Digest, v, r and s, one word each; missing bytes are zeros.
 * @returns The address in a word; nothing if the signature is invalid.
 */
export function ecrecover(input: Uint8Array, gas: bigint): PrecompileResult {
  if (gas < GAS) return { failure: 'out of gas' }
  const words = new Uint8Array(INPUT_BYTES)
  words.set(input.subarray(0, INPUT_BYTES))
  const v = bytesToBigInt(words.subarray(32, 64))
  if (v !== 27n && v !== 28n) return { gasUsed: GAS, output: EMPTY_BYTES }
  const key = recoverPublicKey(words.subarray(0, 32), {
    r: bytesToBigInt(words.subarray(64, 96)),
    s: bytesToBigInt(words.subarray(96)),
    yParity: v === 27n ? 0 : 1,
  })
  if (!key) return { gasUsed: GAS, output: EMPTY_BYTES }
  const output = keccak256(key)
  output.fill(0, 0, 12)
  return { gasUsed: GAS, output }
}
