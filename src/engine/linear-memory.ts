import { type Address, bytesToHex, type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'
import { textOfCodes } from '#primitives/text-of-codes.ts'
import { KnownTexts } from './known-texts.ts'
import type { WasmMemory } from './web-assembly.ts'

/** Words in memory are four limbs of 64 bits, the lowest first. */
const WORD_BYTES = 32
const LIMB_BITS = 64n
const LOW_LIMB = (1n << LIMB_BITS) - 1n
/** Number of words cached by their text: every message uses the same few accounts. */
const MAX_KNOWN = 1_024
/** Scratch space: a word, the highest byte first. */
const scratch = new Uint8Array(WORD_BYTES)

/** Reads and writes the engine's memory. */
export class LinearMemory {
  readonly #memory: WasmMemory
  #view: DataView
  #bytes: Uint8Array
  /** Place of known words among all. */
  readonly #known = new Map<Hex, number>()
  readonly #words = new DataView(new ArrayBuffer(MAX_KNOWN * WORD_BYTES))
  readonly #texts = new KnownTexts()
  /** A word the other way round. */
  readonly #reversed = new Uint8Array(WORD_BYTES)

  constructor(memory: WasmMemory) {
    this.#memory = memory
    this.#view = new DataView(memory.buffer)
    this.#bytes = new Uint8Array(memory.buffer)
  }

  /** All that there is, until the memory grows. */
  get bytes(): Uint8Array {
    this.#renew()
    return this.#bytes
  }

  /** View of the memory, made anew when that has grown. */
  get view(): DataView {
    this.#renew()
    return this.#view
  }

  #renew(): void {
    // Growing the memory detaches the old buffer.
    if (this.#bytes.length !== 0) return
    this.#view = new DataView(this.#memory.buffer)
    this.#bytes = new Uint8Array(this.#memory.buffer)
  }

  /** A copy of bytes. */
  slice(at: number, size: number): Uint8Array {
    return this.bytes.slice(at, at + size)
  }

  /** Bytes as they are, which are gone when the memory changes or grows. */
  part(at: number, size: number): Uint8Array {
    return this.bytes.subarray(at, at + size)
  }

  readWord(at: number): bigint {
    const { view } = this
    // Most words are short, and each `bigint` takes time.
    if ((view.getUint32(at + 8, true) | view.getUint32(at + 12, true) | view.getUint32(at + 16, true)) === 0) {
      if ((view.getUint32(at + 20, true) | view.getUint32(at + 24, true) | view.getUint32(at + 28, true)) === 0) {
        return view.getBigUint64(at, true)
      }
    }
    const low = view.getBigUint64(at, true)
    const second = view.getBigUint64(at + 8, true)
    const third = view.getBigUint64(at + 16, true)
    const high = view.getBigUint64(at + 24, true)
    return (high << 192n) | (third << 128n) | (second << 64n) | low
  }

  writeWord(at: number, value: bigint): void {
    const { view } = this
    if (value <= LOW_LIMB) {
      view.setBigUint64(at, value, true)
      this.#bytes.fill(0, at + 8, at + WORD_BYTES)
      return
    }
    // BigUint64 keeps the value modulo 2^64.
    view.setBigUint64(at, value, true)
    view.setBigUint64(at + 8, value >> LIMB_BITS, true)
    view.setBigUint64(at + 16, value >> (2n * LIMB_BITS), true)
    view.setBigUint64(at + 24, value >> (3n * LIMB_BITS), true)
  }

  readAddress(at: number): Address {
    return bytesToHex(this.#reverse(at).subarray(12))
  }

  /** A word as a slot is named. */
  readKey(at: number): Hash {
    return bytesToHex(this.#reverse(at))
  }

  /** 32 bytes as hex, mostly ones that were read before. */
  readHash(at: number): Hash {
    return this.#texts.get(this.bytes, this.#view, at)
  }

  /** 32 bytes, the highest first, as text without leading zeros: one character a byte. */
  readText(at: number): string {
    const { bytes } = this
    const end = at + WORD_BYTES
    let start = at
    while (start < end && bytes[start] === 0) start++
    for (let i = start; i < end; i++) scratch[i - start] = bytes[i] as number
    return textOfCodes(scratch, end - start)
  }

  #reverse(at: number): Uint8Array {
    const { bytes } = this
    for (let i = 0; i < WORD_BYTES; i++) this.#reversed[WORD_BYTES - 1 - i] = bytes[at + i] as number
    return this.#reversed
  }

  /** Writes up to 32 big-endian bytes as a word. */
  writeBigEndian(at: number, value: Uint8Array): void {
    const { bytes } = this
    const { length } = value
    for (let i = 0; i < length; i++) bytes[at + i] = value[length - 1 - i] as number
    bytes.fill(0, at + length, at + WORD_BYTES)
  }

  /** Writes a word in the form that {@link readText} returns. */
  writeText(at: number, text: string): void {
    const { bytes } = this
    const { length } = text
    for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(length - 1 - i)
    bytes.fill(0, at + length, at + WORD_BYTES)
  }

  /** Writes an address or a hash as a word. */
  writeHex(at: number, hex: Hex): void {
    const { view } = this
    const known = this.#known.get(hex)
    if (known !== undefined) {
      for (let i = 0; i < WORD_BYTES; i += 4) view.setInt32(at + i, this.#words.getInt32(known + i))
      return
    }
    this.writeBigEndian(at, hexToBytes(hex))
    if (this.#known.size === MAX_KNOWN) this.#known.clear()
    const next = this.#known.size * WORD_BYTES
    this.#known.set(hex, next)
    for (let i = 0; i < WORD_BYTES; i += 4) this.#words.setInt32(next + i, view.getInt32(at + i))
  }
}
