import { EMPTY_BYTES } from '#primitives/bytes.ts'
import { latin1Slice, textOfCodes } from '#primitives/text-of-codes.ts'

/**
 * Bytes as a string, one character per byte. A state holds hundreds of thousands of keys, values and hashes. As strings
 * they take a fifth of the memory of arrays, compare with `===`, and are immutable.
 */
export type ByteText = string

const HASH_BYTES = 32
/** Character codes of a hash. In a browser, text of a list takes a fifth of the time that text of a byte array takes. */
const codes: number[] = new Array<number>(HASH_BYTES).fill(0)

/** Converts bytes to text; meant for a few dozen bytes. */
export function byteText(bytes: Uint8Array): ByteText {
  if (latin1Slice || bytes.length !== HASH_BYTES) return textOfCodes(bytes)
  for (let i = 0; i < HASH_BYTES; i++) codes[i] = bytes[i] as number
  return String.fromCharCode(...codes)
}

/** Converts text back to bytes. */
export function bytesOfText(text: ByteText): Uint8Array {
  if (text === '') return EMPTY_BYTES
  const bytes = new Uint8Array(text.length)
  writeText(text, bytes, 0)
  return bytes
}

/** Writes a text's bytes at `offset`. @returns The offset after them. */
export function writeText(text: ByteText, into: Uint8Array, offset: number): number {
  for (let i = 0; i < text.length; i++) into[offset + i] = text.charCodeAt(i)
  return offset + text.length
}
