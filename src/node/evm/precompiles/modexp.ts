import type { ExecResult, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { type LongPower, modularPower } from '#engine/modular-power.ts'
import { SHORT_BYTES, shortPower } from '#engine/short-power.ts'
import { bigIntToBytes, bytesToBigInt, padLeft } from '#primitives/bytes.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { Deferral } from './deferral.ts'
import { failedPrecompile } from './failed-precompile.ts'

/** Longest base, exponent and modulus in bytes (EIP-7823). */
const MAX_LENGTH = 1024
/** Bits of the exponent between two looks at the clock: some milliseconds with the longest modulus. */
const BITS_PER_CHECKPOINT = 32

/** Bytes of the three lengths. */
const HEAD = 96
const WORD = 32

/**
 * MODEXP, with an exponentiation that is deferred if it takes long.
 *
 * @param library - The EVM's own, for operands that are longer than any chain's rules allow today.
 * @see {@link https://eips.ethereum.org/EIPS/eip-198 | EIP-198}
 */
export function deferredModexp(library: PrecompileFunc, deferral: Deferral): PrecompileFunc {
  return (input: PrecompileInput): ExecResult | Promise<ExecResult> => {
    const { data, gasLimit, common } = input
    const lengths = [0, WORD, 2 * WORD].map((at) => shortLength(data, at)) as [number, number, number]
    if (lengths.includes(Number.POSITIVE_INFINITY)) return library(input)
    const [baseLength, exponentLength, modulusLength] = lengths
    const exponentAt = HEAD + baseLength
    const modulusAt = exponentAt + exponentLength
    const exponent = read(data, exponentAt, exponentLength)
    const executionGasUsed = BigInt(priceOf(lengths, exponent, common.isActivatedEIP(7883)))
    if (executionGasUsed > gasLimit) return failedPrecompile('OUT_OF_GAS', gasLimit)
    const base = read(data, HEAD, baseLength)
    const modulus = read(data, modulusAt, modulusLength)
    const returnValue = powerOfBytes(base, exponent, modulus, deferral)
    return { executionGasUsed, returnValue }
  }
}

/** A length of 1,024 at most; infinity if it is larger. */
function shortLength(data: Uint8Array, at: number): number {
  let length = 0
  for (let i = at; i < at + WORD; i++) {
    length = length * 256 + (data[i] ?? 0)
    if (length > MAX_LENGTH) return Number.POSITIVE_INFINITY
  }
  return length
}

/**
 * The gas of EIP-2565, or of EIP-7883.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-7883 | EIP-7883}
 */
function priceOf(
  [baseLength, exponentLength, modulusLength]: readonly [number, number, number],
  exponent: Uint8Array,
  isOsaka: boolean,
): number {
  const longest = Math.max(baseLength, modulusLength)
  const words = Math.ceil(longest / 8)
  const beyond = Math.max(0, exponentLength - WORD) * (isOsaka ? 16 : 8)
  const rounds = Math.max(1, beyond + Math.max(0, bitLength(exponent, Math.min(exponentLength, WORD)) - 1))
  if (!isOsaka) return Math.max(200, Math.floor((words * words * rounds) / 3))
  return Math.max(500, rounds * (longest > WORD ? 2 * words * words : 16))
}

/** Bits of the number in the first bytes. */
function bitLength(bytes: Uint8Array, size: number): number {
  let first = 0
  while (first < size && bytes[first] === 0) first++
  return first === size ? 0 : 8 * (size - first) - Math.clz32(bytes[first] as number) + 24
}

/** The power in as many bytes as the modulus, or what stands for it until it is worked out. */
function powerOfBytes(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array, deferral: Deferral): Uint8Array {
  const { length } = modulus
  const last = modulus[length - 1] ?? 0
  if (length <= SHORT_BYTES && base.length <= SHORT_BYTES && last % 2 === 1 && !isOne(modulus)) {
    const short = shortPower(base, exponent, modulus)
    if (short) return short
  }
  const number = bytesToBigInt(modulus)
  if (number === 0n) return new Uint8Array(length)
  const power = powerOf(bytesToBigInt(base) % number, bytesToBigInt(exponent), number)
  if (typeof power === 'bigint') return padLeft(bigIntToBytes(power), length)
  return deferral.defer(async (guard) => padLeft(bigIntToBytes(await power(guard)), length))
}

function isOne(bytes: Uint8Array): boolean {
  const last = bytes.length - 1
  return bytes[last] === 1 && bytes.every((byte, i) => i === last || byte === 0)
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
