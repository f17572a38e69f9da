import { bytesToHex, hexToBytes } from './hex.ts'

export const EMPTY_BYTES = new Uint8Array(0)

/** All parts, one after the other, in a new array. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
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
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** The big-endian unsigned integer that the bytes spell; 0 for none. */
export function bytesToBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  if (bytes.length <= 6) {
    let small = 0
    for (const byte of bytes) small = small * 256 + byte
    return BigInt(small)
  }
  return BigInt(bytesToHex(bytes))
}

/** Big-endian bytes without leading zeros; none for 0, as RLP wants integers. */
export function bigIntToBytes(value: bigint): Uint8Array {
  if (value === 0n) return EMPTY_BYTES
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
