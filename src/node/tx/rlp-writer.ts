import { type Hex, setHex } from '#primitives/hex.ts'

const STRING = 0x80
const LIST = 0xc0
/** Payloads shorter than this have their length in the first byte. */
const SHORT = 56

/**
 * Writes RLP front to back into an existing array: the caller knows a list's size before its members. Used for
 * everything needed per transaction of a block; a library does the rest.
 */
export class RlpWriter {
  readonly bytes: Uint8Array
  #position = 0

  /** @param bytes - Has room for everything to be written. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** A raw byte: a type before the RLP, or a value that encodes itself. */
  byte(value: number): void {
    this.bytes[this.#position++] = value
  }

  /**
   * The header of a list; its members follow.
   *
   * @param size - Of the members, in bytes.
   */
  list(size: number): void {
    this.#header(LIST, size)
  }

  string(bytes: Uint8Array): void {
    if (bytes.length !== 1 || (bytes[0] as number) >= STRING) this.#header(STRING, bytes.length)
    this.bytes.set(bytes, this.#position)
    this.#position += bytes.length
  }

  /** A string of more than one byte. */
  hex(hex: Hex): void {
    const size = (hex.length - 2) / 2
    this.#header(STRING, size)
    setHex(this.bytes, this.#position, hex)
    this.#position += size
  }

  #header(kind: number, size: number): void {
    if (size < SHORT) return this.byte(kind + size)
    const length = headerSize(size) - 1
    this.byte(kind + SHORT - 1 + length)
    for (let i = length - 1; i >= 0; i--) this.byte(size >>> (8 * i))
  }
}

/** Bytes of the header of a list or a string with a payload of that size (below 2^32). */
export function headerSize(size: number): number {
  if (size < SHORT) return 1
  if (size < 0x100) return 2
  if (size < 0x1_0000) return 3
  return size < 0x100_0000 ? 4 : 5
}

/** Bytes of a list whose members have that size. */
export function listSize(size: number): number {
  return headerSize(size) + size
}

/** Bytes of a string. */
export function stringSize(bytes: Uint8Array): number {
  return bytes.length === 1 && (bytes[0] as number) < STRING ? 1 : headerSize(bytes.length) + bytes.length
}
