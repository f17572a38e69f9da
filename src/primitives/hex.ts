import { nodeBuffer } from './node-buffer.ts'
import { textOfCodes } from './text-of-codes.ts'
import { utf8 } from './utf8.ts'

/** `0x` followed by hexadecimal digits; in JSON-RPC, bytes: two digits each. */
export type Hex = `0x${string}`
/** A number of JSON-RPC: `0x` and its digits without leading zeros, `0x0` for zero. */
export type Quantity = Hex
/** A 20-byte address: `0x` and 40 lower-case digits, so that it can be a map key. */
export type Address = Hex
/** A 32-byte hash or word: `0x` and 64 lower-case digits, so that it can be a map key. */
export type Hash = Hex
/** Up to 32 bytes whose leading zeros may be left out: `0x` and at most 64 digits. */
export type BytesMax32 = Hex
/** 8 bytes. */
export type Bytes8 = Hex
/** 65 bytes: a signature, r ‖ s ‖ v. */
export type Bytes65 = Hex
/** 256 bytes: a bloom filter. */
export type Bytes256 = Hex

/** Bytes up to which digits are quicker read and put together one by one than by the host's decoder. */
const FEW_BYTES = 64
const DIGIT_CODES = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
/** Scratch space: the character codes of `0x` and of a few bytes. */
const CODES = new Uint8Array(2 + 2 * FEW_BYTES)
CODES.set([0x30, 0x78])
const PAIRS = new Uint16Array(CODES.buffer)
/** Two digits of each byte, as they lie in memory. */
const DIGIT_PAIRS = new Uint16Array(
  Uint8Array.from({ length: 512 }, (_, i) => DIGIT_CODES[i % 2 === 0 ? i >> 5 : (i >> 1) & 15] as number).buffer,
)

/** Methods of newer hosts. @see {@link https://tc39.es/proposal-arraybuffer-base64/} */
const nativeToHex = (Uint8Array.prototype as { readonly toHex?: (this: Uint8Array) => string }).toHex

/** `0x` and two lower-case digits a byte; `0x` for no bytes. */
export function bytesToHex(bytes: Uint8Array): Hex {
  if (nativeToHex) return `0x${nativeToHex.call(bytes)}`
  return (bytes.length > FEW_BYTES ? decodedHex(bytes) : fewToHex(bytes)) as Hex
}

function fewToHex(bytes: Uint8Array): string {
  for (let i = 0; i < bytes.length; i++) PAIRS[i + 1] = DIGIT_PAIRS[bytes[i] as number] as number
  return textOfCodes(CODES, 2 + 2 * bytes.length)
}

/** Hex of many bytes: {@link fewToHex} would take six times as long, and hold up others while it makes megabytes. */
function decodedHex(bytes: Uint8Array): string {
  const codes = new Uint8Array(2 + 2 * bytes.length)
  codes.set(CODES.subarray(0, 2))
  const pairs = new Uint16Array(codes.buffer, 2)
  for (let i = 0; i < bytes.length; i++) pairs[i] = DIGIT_PAIRS[bytes[i] as number] as number
  return utf8.decode(codes)
}

/** Method of newer hosts: writes the bytes and throws a `SyntaxError` at a character that is not a digit. Its `fromHex` takes longer. */
const setFromHex = (Uint8Array.prototype as { readonly setFromHex?: (this: Uint8Array, digits: string) => unknown })
  .setFromHex
const hexWrite = nodeBuffer?.prototype.hexWrite
/** Node.js drops the upper byte of a character: U+0130 would be the digit 0. */
const WIDE = /[^\0-\xff]/
/** Value of a hex digit by its character code; −1 for any other character. */
const NIBBLES = new Int8Array(128).fill(-1)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  NIBBLES[digit.charCodeAt(0)] = value
  NIBBLES[digit.toUpperCase().charCodeAt(0)] = value
}

const ownBytes = (length: number) => new Uint8Array(length)

/**
 * Bytes of a `0x` string with an even number of digits, in either case.
 *
 * @throws {RangeError} If the prefix is missing, a digit is not hexadecimal or the number of digits is odd.
 */
export function hexToBytes(hex: string): Uint8Array<ArrayBuffer> {
  return hexInto(hex, ownBytes)
}

/** As {@link hexToBytes}. @param make - Answers the array that they are put into, of the length that it is asked for. */
export function hexInto(hex: string, make: (length: number) => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!hex.startsWith('0x') || hex.length % 2 !== 0) throw notHex(hex)
  const bytes = make((hex.length - 2) / 2)
  if (setFromHex) setNatively(setFromHex, bytes, hex)
  // A quarter of the time, and no warming up; for a few digits it takes longer.
  else if (hexWrite && bytes.length > FEW_BYTES && !WIDE.test(hex)) {
    if (hexWrite.call(bytes, hex.slice(2), 0, bytes.length) !== bytes.length) throw notHex(hex)
  } else setByDigits(bytes, hex)
  return bytes
}

/** Scratch space for bytes that are then copied into a larger array, which saves a subarray each time. */
const words = new Uint8Array(32)
const addresses = new Uint8Array(20)

/** Puts the bytes of a text into others, which have room for them. @throws {RangeError} As {@link hexToBytes}. */
export function setHex(into: Uint8Array, at: number, hex: Hex): void {
  into.set(hexInto(hex, transient), at)
}

function transient(length: number): Uint8Array<ArrayBuffer> {
  return length === words.length ? words : length === addresses.length ? addresses : new Uint8Array(length)
}

function setNatively(set: NonNullable<typeof setFromHex>, bytes: Uint8Array, hex: string): void {
  try {
    set.call(bytes, hex.slice(2))
  } catch (error) {
    if (error instanceof SyntaxError) throw notHex(hex)
    throw error
  }
}

function setByDigits(bytes: Uint8Array, hex: string): void {
  for (let i = 0; i < bytes.length; i++) {
    const high = NIBBLES[hex.charCodeAt(2 * i + 2)] ?? -1
    const low = NIBBLES[hex.charCodeAt(2 * i + 3)] ?? -1
    if (high < 0 || low < 0) throw notHex(hex)
    bytes[i] = (high << 4) | low
  }
}

function notHex(text: string): RangeError {
  return new RangeError(`not a hex byte string: ${text.slice(0, 20)}`)
}

/** A JSON-RPC quantity: no leading zeros, `0x0` for zero. */
export function toQuantity(value: bigint | number): Quantity {
  return `0x${value.toString(16)}`
}

/** A 32-byte word of a non-negative integer below 2^256. */
export function toWord(value: bigint | number): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}
