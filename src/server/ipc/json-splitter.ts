const [NEWLINE, QUOTE, BACKSLASH] = [0x0a, 0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const SPACE = new Set([0x09, NEWLINE, 0x0d, 0x20])

/**
 * Splits a stream of bytes into JSON objects and arrays, whether lines divide them or nothing, as clients differ in that.
 * Anything else is a message up to the end of its line. Whether a message is valid JSON is not checked.
 */
export class JsonSplitter {
  readonly #onMessage: (text: string) => void
  /** Chunks of the message that has begun. */
  #chunks: Buffer[] = []
  #begun: 'nothing' | 'value' | 'line' = 'nothing'
  #bytes = 0
  /** Open brackets. */
  #depth = 0
  #inString = false
  #escaped = false

  constructor(onMessage: (text: string) => void) {
    this.#onMessage = onMessage
  }

  /** Bytes of the message that has begun and is not complete. */
  get begunBytes(): number {
    return this.#bytes
  }

  push(chunk: Buffer): void {
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number
      if (this.#begun === 'nothing') {
        from = i
        if (SPACE.has(byte)) continue
        this.#begun = OPENING.has(byte) ? 'value' : 'line'
      }
      if (!this.#ends(byte)) continue
      this.#keep(chunk.subarray(from, i + 1))
      this.#finish()
    }
    if (this.#begun !== 'nothing') this.#keep(chunk.subarray(from))
  }

  /** Takes the next byte of the message. @returns Whether it is the last one. */
  #ends(byte: number): boolean {
    if (this.#begun === 'line') return byte === NEWLINE
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) this.#inString = false
    } else if (byte === QUOTE) this.#inString = true
    else if (OPENING.has(byte)) this.#depth++
    else if (CLOSING.has(byte)) this.#depth--
    return this.#depth === 0
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  #finish(): void {
    const text = Buffer.concat(this.#chunks, this.#bytes).toString('utf8')
    this.#chunks = []
    this.#bytes = 0
    this.#begun = 'nothing'
    this.#onMessage(text)
  }
}
