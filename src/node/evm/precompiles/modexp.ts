import type { PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { bigIntToBytes, bytesToBigInt, padLeft } from '#primitives/bytes.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { Deferral } from './deferral.ts'

/** Longest base, exponent and modulus in bytes (EIP-7823). */
const MAX_LENGTH = 1024n
/** Bits of the exponent between two looks at the clock: some milliseconds with the longest modulus. */
const BITS_PER_CHECKPOINT = 32

/**
 * MODEXP with a deferred exponentiation. The library checks the lengths and computes the gas: it is called without the
 * modulus, which it then reads as zero, so it has nothing to compute.
 *
 * @param library - The EVM's own.
 * @see {@link https://eips.ethereum.org/EIPS/eip-198 | EIP-198}
 */
export function deferredModexp(library: PrecompileFunc, deferral: Deferral): PrecompileFunc {
  return async (input: PrecompileInput) => {
    const lengths = [0, 1, 2].map((index) => bytesToBigInt(read(input.data, 32 * index, 32)))
    if (lengths.some((length) => length > MAX_LENGTH)) return library(input)
    const [baseLength, exponentLength, modulusLength] = lengths.map(Number) as [number, number, number]
    const modulusAt = 96 + baseLength + exponentLength
    const result = await library({ ...input, data: input.data.subarray(0, modulusAt) })
    if (result.exceptionError) return result
    const base = bytesToBigInt(read(input.data, 96, baseLength))
    const exponent = bytesToBigInt(read(input.data, 96 + baseLength, exponentLength))
    const modulus = bytesToBigInt(read(input.data, modulusAt, modulusLength))
    if (modulus === 0n) return result
    deferral.defer(async (guard) => padLeft(bigIntToBytes(await power(base, exponent, modulus, guard)), modulusLength))
    return result
  }
}

/** Square and multiply, starting with the highest bit of the exponent. */
async function power(base: bigint, exponent: bigint, modulus: bigint, guard: ExecutionGuard): Promise<bigint> {
  const factor = base % modulus
  let result = 1n % modulus
  if (exponent === 0n) return result
  const bits = exponent.toString(2)
  for (let i = 0; i < bits.length; i++) {
    if (i % BITS_PER_CHECKPOINT === 0) await guard.checkpoint()
    result = (result * result) % modulus
    if (bits[i] === '1') result = (result * factor) % modulus
  }
  return result
}

/** `length` bytes of the input, which continues with endless zeros. */
function read(data: Uint8Array, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(data.subarray(offset, offset + length))
  return bytes
}
