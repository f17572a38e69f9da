import type { ExecResult, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { type LongPower, modularPower } from '#engine/modular-power.ts'
import { bigIntToBytes, bytesToBigInt, padLeft } from '#primitives/bytes.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { Deferral } from './deferral.ts'

/** Longest base, exponent and modulus in bytes (EIP-7823). */
const MAX_LENGTH = 1024n
/** Bits of the exponent between two looks at the clock: some milliseconds with the longest modulus. */
const BITS_PER_CHECKPOINT = 32

/**
 * MODEXP, with an exponentiation that is deferred if it takes long. The library checks the lengths and computes the gas: it is called without the
 * modulus, which it then reads as zero, so it has nothing to compute.
 *
 * @param library - The EVM's own.
 * @see {@link https://eips.ethereum.org/EIPS/eip-198 | EIP-198}
 */
export function deferredModexp(library: PrecompileFunc, deferral: Deferral): PrecompileFunc {
  return async (input: PrecompileInput): Promise<ExecResult> => {
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
    const power = powerOf(base % modulus, exponent, modulus)
    if (typeof power === 'bigint') return { ...result, returnValue: padLeft(bigIntToBytes(power), modulusLength) }
    deferral.defer(async (guard) => padLeft(bigIntToBytes(await power(guard)), modulusLength))
    return result
  }
}

type LaterPower = (guard: ExecutionGuard) => Promise<bigint>

/** The power, or what takes longer to work it out. */
function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint | LaterPower {
  if (modulus === 1n) return 0n
  if (exponent === 0n) return 1n
  if (modulus % 2n === 0n) return (guard) => evenPower(base, exponent, modulus, guard)
  const power = modularPower(base, exponent, modulus)
  if (typeof power === 'bigint') return power
  return power
    ? (guard) => finish(power, guard)
    : (guard) => slowPower(base, exponent, (value) => value % modulus, guard)
}

async function finish(power: LongPower, guard: ExecutionGuard): Promise<bigint> {
  for (;;) {
    await guard.checkpoint()
    const value = power.next()
    if (value !== undefined) return value
  }
}

/** By the Chinese remainder theorem: modulo the power of two that divides the modulus, and modulo the odd rest. */
async function evenPower(base: bigint, exponent: bigint, modulus: bigint, guard: ExecutionGuard): Promise<bigint> {
  const bits = (modulus & -modulus).toString(2).length - 1
  const odd = modulus >> BigInt(bits)
  const low = (value: bigint) => BigInt.asUintN(bits, value)
  const second = await slowPower(low(base), exponent, low, guard)
  if (odd === 1n) return second
  const later = powerOf(base % odd, exponent, odd)
  const first = typeof later === 'bigint' ? later : await later(guard)
  let inverse = 1n
  for (let known = 1; known < bits; known *= 2) inverse = low(inverse * (2n - odd * inverse))
  return first + odd * low((second - first) * inverse)
}

/** Square and multiply, starting with the highest bit of the exponent, which is not 0. */
async function slowPower(
  base: bigint,
  exponent: bigint,
  reduced: (value: bigint) => bigint,
  guard: ExecutionGuard,
): Promise<bigint> {
  let result = reduced(1n)
  const bits = exponent.toString(2)
  for (let i = 0; i < bits.length; i++) {
    if (i % BITS_PER_CHECKPOINT === 0) await guard.checkpoint()
    result = reduced(result * result)
    if (bits[i] === '1') result = reduced(result * base)
  }
  return result
}

/** `length` bytes of the input, which continues with endless zeros. */
function read(data: Uint8Array, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(data.subarray(offset, offset + length))
  return bytes
}
