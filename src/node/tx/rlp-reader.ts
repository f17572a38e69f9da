import { bytesToBigInt, EMPTY_BYTES } from '#primitives/bytes.ts'

/** The bytes are not the expected RLP; the message is geth's. */
export class RlpError extends Error {
  override readonly name = 'RlpError'
  readonly #problem: string
  #path: string

  /** @param path - Path from the value being read: `.Nonce`, `[3]`. */
  constructor(problem: string, path = '') {
    super(problem)
    this.#problem = problem
    this.#path = path
  }

  /** Adds the path of the next outer level. */
  within(path: string): this {
    this.#path = path + this.#path
    return this
  }

  /** @param root - Type of the outermost value. */
  describe(root: string): string {
    return `rlp: ${this.#problem}${this.#path && `, decoding into (${root})${this.#path}`}`
  }
}

const LEADING_ZEROS = 'non-canonical integer (leading zero bytes)'
const BAD_SIZE = 'non-canonical size information'
const NOT_A_STRING = 'expected input string or byte'

/**
 * Reads RLP once, front to back, as strictly as geth: canonical sizes and integers, exact lengths, nothing left over.
 * The type names are Go's and only appear in errors.
 *
 * @see {@link https://github.com/ethereum/go-ethereum/blob/master/rlp/decode.go | geth's decoder}
 */
export class RlpReader {
  readonly #bytes: Uint8Array
  #position: number
  /** End of the innermost open list. */
  #end: number
  /** Type of the innermost open list; empty outside lists. */
  #type = ''
  #isList = false
  #itemEnd = 0

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#position = start
    this.#end = bytes.length
  }

  /** Offset of the next value. */
  get position(): number {
    return this.#position
  }

  /** @throws {RlpError} If anything follows. */
  finish(): void {
    if (this.#position < this.#bytes.length) throw new RlpError('input contains more than one value')
  }

  /** A list with a fixed number of members; `read` reads them in order. */
  struct<Result>(type: string, read: () => Result): Result {
    return this.#within(type, '', read)
  }

  /** A list of any number of values, each read by `read`. */
  list<Item>(type: string, path: string, read: () => Item): Item[] {
    return this.#within(type, path, () => {
      const items: Item[] = []
      while (this.#position < this.#end) {
        try {
          items.push(read())
        } catch (error) {
          throw error instanceof RlpError ? error.within(`${path}[${items.length}]`) : error
        }
      }
      return items
    })
  }

  /** An unsigned integer of at most `maxBytes`. */
  integer(type: string, maxBytes: number, path: string): bigint {
    const start = this.#stringStart(type, path)
    const end = this.#itemEnd
    if (end - start > maxBytes) throw new RlpError(`input string too long for ${type}`, path)
    if (end > start && this.#bytes[start] === 0) throw new RlpError(`${LEADING_ZEROS} for ${type}`, path)
    this.#position = end
    return bytesToBigInt(this.#bytes, start, end)
  }

  /** A string of any length; a view, not a copy. */
  bytes(path: string): Uint8Array {
    return this.#string('[]uint8', path)
  }

  /** A string of that length; a view, not a copy. */
  fixed(type: string, length: number, path: string): Uint8Array {
    return this.#exactly(this.#string(type, path), type, length, path)
  }

  /** A string of that length, or `undefined` for an empty one; a view, not a copy. */
  optional(type: string, length: number, path: string): Uint8Array | undefined {
    const bytes = this.#string(type, path)
    return bytes.length === 0 ? undefined : this.#exactly(bytes, type, length, path)
  }

  #exactly(bytes: Uint8Array, type: string, length: number, path: string): Uint8Array {
    if (bytes.length === length) return bytes
    throw new RlpError(`input string too ${bytes.length < length ? 'short' : 'long'} for ${type}`, path)
  }

  #within<Result>(type: string, path: string, read: () => Result): Result {
    this.#header(type, path)
    if (!this.#isList) throw new RlpError(`expected input list for ${type}`, path)
    const outerEnd = this.#end
    const outerType = this.#type
    this.#end = this.#itemEnd
    this.#type = type
    const result = read()
    if (this.#position < this.#end) throw new RlpError(`input list has too many elements for ${type}`, path)
    this.#end = outerEnd
    this.#type = outerType
    return result
  }

  #string(type: string, path: string): Uint8Array {
    const start = this.#stringStart(type, path)
    const end = this.#itemEnd
    this.#position = end
    // Mostly transactions have no input: a view of nothing would take as much memory as any.
    return start === end ? EMPTY_BYTES : this.#bytes.subarray(start, end)
  }

  /** Moves to a string's payload, which ends at `#itemEnd`; returns its start. */
  #stringStart(type: string, path: string): number {
    this.#header(type, path)
    if (this.#isList) throw new RlpError(`${NOT_A_STRING} for ${type}`, path)
    return this.#position
  }

  /** Moves past the next value's header and records its kind and end. */
  #header(type: string, path: string): void {
    if (this.#position >= this.#end) throw this.#ended()
    const first = this.#bytes[this.#position] as number
    this.#isList = first >= 0xc0
    if (first < 0x80) {
      this.#itemEnd = this.#position + 1
      return
    }
    this.#position++
    const short = first - (this.#isList ? 0xc0 : 0x80)
    const size = short < 56 ? short : this.#size(short - 55, type, path)
    if (size > this.#end - this.#position) throw this.#tooLarge()
    this.#itemEnd = this.#position + size
    const single = !this.#isList && size === 1 && (this.#bytes[this.#position] as number) < 0x80
    if (single) throw new RlpError(`${BAD_SIZE} for ${type}`, path)
  }

  #size(length: number, type: string, path: string): number {
    if (length > this.#end - this.#position) throw this.#tooLarge()
    let size = 0
    for (let i = 0; i < length; i++) size = size * 256 + (this.#bytes[this.#position + i] as number)
    if (this.#bytes[this.#position] === 0 || size < 56) throw new RlpError(`${BAD_SIZE} for ${type}`, path)
    this.#position += length
    return size
  }

  #ended(): RlpError {
    return new RlpError(this.#type ? `too few elements for ${this.#type}` : 'value size exceeds available input length')
  }

  #tooLarge(): RlpError {
    return new RlpError(
      this.#type ? 'element is larger than containing list' : 'value size exceeds available input length',
    )
  }
}
