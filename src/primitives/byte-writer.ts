import { bigIntToBytes } from './bytes.ts'
import { type Hex, setHex } from './hex.ts'

const FIRST_CAPACITY = 256

/** Writes values one after the other into one array of bytes; `ByteReader` reads them in the same order. */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY)
  #length = 0

  /** A whole number from 0 to 2^53 − 1, in as few bytes as it needs (LEB128). */
  uint(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a whole number from 0 to 2^53`)
    let rest = value
    while (rest >= 0x80) {
      this.#byte((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.#byte(rest)
    return this
  }

  /** A number as it is: 8 bytes, IEEE 754, big-endian. */
  float(value: number): this {
    this.#reserve(8)
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value)
    this.#length += 8
    return this
  }

  /** Bytes whose number the reader knows. */
  fixed(bytes: Uint8Array): this {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  /** Bytes as text, one character each, whose number the reader knows. */
  latin1(text: string, start: number, end: number): this {
    this.#reserve(end - start)
    for (let i = start; i < end; i++) this.#bytes[this.#length++] = text.charCodeAt(i)
    return this
  }

  /** Bytes of `0x` text whose number the reader knows. */
  hex(hex: Hex): this {
    const size = (hex.length - 2) / 2
    this.#reserve(size)
    setHex(this.#bytes, this.#length, hex)
    this.#length += size
    return this
  }

  /** Any number of bytes, after their number. */
  bytes(bytes: Uint8Array): this {
    return this.uint(bytes.length).fixed(bytes)
  }

  /** A non-negative integer of any size. */
  bigint(value: bigint): this {
    return this.bytes(bigIntToBytes(value))
  }

  /** A list: its length, then each item as `write` writes it. */
  list<Item>(items: readonly Item[], write: (item: Item, writer: this) => void): this {
    this.uint(items.length)
    for (const item of items) write(item, this)
    return this
  }

  /** A copy of the bytes written so far. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}
