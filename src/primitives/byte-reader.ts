import { bytesToBigInt } from './bytes.ts'
import { bytesToHex, type Hex } from './hex.ts'

/** Longer numbers do not occur; reading one takes time that grows with its square. */
const MAX_BIGINT_BYTES = 64

/** Bytes are not what a `ByteWriter` wrote: they end too early, or go on. */
export class ByteReaderError extends Error {
  override readonly name = 'ByteReaderError'
}

/** Reads what a `ByteWriter` wrote, in the same order. Byte arrays are views of the bytes that are read, not copies. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #position: number

  /** @param position - Bytes before the first value. */
  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes
    this.#position = position
  }

  /** Bytes before the next value. */
  get position(): number {
    return this.#position
  }

  /** @throws {ByteReaderError} Also if the number is above 2^53 − 1. */
  uint(): number {
    let value = 0
    let unit = 1
    for (;;) {
      const byte = this.#bytes[this.#position++]
      if (byte === undefined) throw tooShort()
      value += (byte & 0x7f) * unit
      // Zeros that lead nowhere make the unit too large, too.
      if (value > Number.MAX_SAFE_INTEGER || unit > Number.MAX_SAFE_INTEGER)
        throw new ByteReaderError('a number is too large')
      if (byte < 0x80) return value
      unit *= 0x80
    }
  }

  float(): number {
    const { buffer, byteOffset } = this.fixed(8)
    return new DataView(buffer, byteOffset, 8).getFloat64(0)
  }

  fixed(length: number): Uint8Array {
    const end = this.#position + length
    if (end > this.#bytes.length) throw tooShort()
    const bytes = this.#bytes.subarray(this.#position, end)
    this.#position = end
    return bytes
  }

  /** What was read from an earlier {@link position} on. */
  since(position: number): Uint8Array {
    return this.#bytes.subarray(position, this.#position)
  }

  /** Passes over bytes. */
  skip(length: number): void {
    if (this.#position + length > this.#bytes.length) throw tooShort()
    this.#position += length
  }

  /** Passes over what {@link bytes} would read. */
  skipBytes(): void {
    this.skip(this.uint())
  }

  /** @param length - Bytes. */
  hex(length: number): Hex {
    return bytesToHex(this.fixed(length))
  }

  bytes(): Uint8Array {
    return this.fixed(this.uint())
  }

  /** @throws {ByteReaderError} Also if the number has more than 512 bits: twice what anything in Ethereum has. */
  bigint(): bigint {
    const bytes = this.bytes()
    if (bytes.length > MAX_BIGINT_BYTES) throw new ByteReaderError('a number is too large')
    return bytesToBigInt(bytes)
  }

  list<Item>(read: (reader: this) => Item): Item[] {
    const length = this.uint()
    if (length > this.#bytes.length - this.#position) throw tooShort()
    const items: Item[] = []
    for (let i = 0; i < length; i++) items.push(read(this))
    return items
  }

  /** @throws {ByteReaderError} If anything follows. */
  finish(): void {
    const left = this.#bytes.length - this.#position
    if (left > 0) throw new ByteReaderError(`${left} bytes follow after the end`)
  }
}

function tooShort(): ByteReaderError {
  return new ByteReaderError('the bytes end too early')
}
