import { bytesToBigInt, EMPTY_BYTES, padLeft } from '#primitives/bytes.ts'
import { hexToBytes } from '#primitives/hex.ts'
import { impersonatedSigner } from '../../crypto/impersonated-signature.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { recoverPublicKey } from '../../crypto/recovery.ts'
import type { PrecompileResult } from './precompile-result.ts'

/** Number of the precompile that recovers signers. */
export const ECRECOVER = 1

const GAS = 3000n
const INPUT_BYTES = 128

/**
 * Recovers a signer like the reference engine, without its overhead.
 *
 * @param input - Digest, v, r and s, one word each; missing bytes are zeros.
 * @param impersonates - Whether what stands for the signature of an account without a key counts as one.
 * @returns The address in a word; nothing if the signature is invalid.
 */
export function ecrecover(input: Uint8Array, gas: bigint, impersonates = false): PrecompileResult {
  if (gas < GAS) return { failure: 'out of gas' }
  const words = new Uint8Array(INPUT_BYTES)
  words.set(input.subarray(0, INPUT_BYTES))
  const v = bytesToBigInt(words.subarray(32, 64))
  if (v !== 27n && v !== 28n) return { gasUsed: GAS, output: EMPTY_BYTES }
  const digest = words.subarray(0, 32)
  const signature = {
    r: bytesToBigInt(words.subarray(64, 96)),
    s: bytesToBigInt(words.subarray(96)),
    yParity: v === 27n ? 0 : 1,
  } as const
  const account = impersonates ? impersonatedSigner(digest, signature) : undefined
  if (account !== undefined) return { gasUsed: GAS, output: padLeft(hexToBytes(account), 32) }
  const key = recoverPublicKey(digest, signature)
  if (!key) return { gasUsed: GAS, output: EMPTY_BYTES }
  const output = keccak256(key)
  output.fill(0, 0, 12)
  return { gasUsed: GAS, output }
}
