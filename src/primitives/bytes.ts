import { bytesToHex, hexToBytes } from './hex.ts'

export const EMPTY_BYTES = new Uint8Array(0)

/** All parts, one after the other, in a new array. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const part of parts) length += part.length
  const joined = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Whether both hold the same bytes. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/**
 * Scratch space for splitting integers of up to 256 bits into 64-bit limbs and joining them; never read later.
 */
const word = new Uint8Array(32)
const limbs = new DataView(word.buffer)
const LIMB_BITS = 64n

/** The big-endian unsigned integer that the bytes from `start` to `end` spell; 0 for none. */
export function bytesToBigInt(bytes: Uint8Array, start = 0, end: number = bytes.length): bigint {
  const length = end - start
  if (length === 0) return 0n
  if (length <= 6) {
    let small = 0
    for (let i = start; i < end; i++) small = small * 256 + (bytes[i] as number)
    return BigInt(small)
  }
  if (length > word.length) return BigInt(bytesToHex(bytes.subarray(start, end)))
  const first = word.length - length
  let at = first & ~7
  word.fill(0, at, first)
  for (let i = 0; i < length; i++) word[first + i] = bytes[start + i] as number
  let value = limbs.getBigUint64(at)
  for (at += 8; at < word.length; at += 8) value = (value << LIMB_BITS) | limbs.getBigUint64(at)
  return value
}

/** Big-endian bytes without leading zeros; none for 0, as RLP wants integers. */
export function bigIntToBytes(value: bigint): Uint8Array {
  if (value === 0n) return EMPTY_BYTES
  let at = word.length - 8
  // A limb is the remainder modulo 2^64.
  limbs.setBigUint64(at, value)
  for (let rest = value >> LIMB_BITS; rest !== 0n; rest >>= LIMB_BITS) {
    if (at === 0) return manyDigits(value)
    at -= 8
    limbs.setBigUint64(at, rest)
  }
  while (word[at] === 0) at++
  const bytes = new Uint8Array(word.length - at)
  for (let i = 0; i < bytes.length; i++) bytes[i] = word[at + i] as number
  return bytes
}

/** The bytes of an integer of more than 256 bits. */
function manyDigits(value: bigint): Uint8Array {
  const digits = value.toString(16)
  return hexToBytes(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`)
}

/** The bytes behind the leading zeros; a view, not a copy. */
export function trimLeadingZeros(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length && bytes[start] === 0) start++
  return start === 0 ? bytes : bytes.subarray(start)
}

/**
 * The bytes behind enough zeros to reach `length`; the same array if it is that long already.
 *
 * @throws {RangeError} If there are more than `length` bytes.
 */
export function padLeft(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  if (bytes.length > length) throw new RangeError(`${bytes.length} bytes do not fit into ${length}`)
  const padded = new Uint8Array(length)
  padded.set(bytes, length - bytes.length)
  return padded
}
