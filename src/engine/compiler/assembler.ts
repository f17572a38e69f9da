import { OP, SIMD, SIMD_PREFIX } from './opcodes.ts'

const FIRST_BYTES = 1 << 10
/** The bytes of a vector the other way round. */
const REVERSED = Array.from({ length: 16 }, (_, i) => 15 - i)
/** Bytes of a number that is set later. */
const PADDED_BYTES = 3

/** Appends instructions to a growing buffer. Numbers are LEB128. */
export class Assembler {
  #bytes = new Uint8Array(FIRST_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Drops what was appended since. */
  truncate(length: number): void {
    this.#length = length
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(this.#length + 1)
    this.#bytes[this.#length++] = value
  }

  append(bytes: ArrayLike<number>): void {
    const end = this.#length + bytes.length
    if (end > this.#bytes.length) this.#grow(end)
    this.#bytes.set(bytes, this.#length)
    this.#length = end
  }

  #grow(least: number): void {
    const grown = new Uint8Array(Math.max(least, 2 * this.#bytes.length))
    grown.set(this.#bytes)
    this.#bytes = grown
  }

  unsigned(value: number): void {
    let rest = value
    for (; rest >= 0x80; rest >>>= 7) this.byte((rest & 0x7f) | 0x80)
    this.byte(rest)
  }

  /** A number below 2^20 that {@link patch} sets. @returns Where. */
  padded(): number {
    const at = this.#length
    for (let i = 0; i < PADDED_BYTES; i++) this.byte(0)
    return at
  }

  /** @param value - Below 2^20, so that it reads the same with and without sign. */
  patch(at: number, value: number): void {
    this.#bytes[at] = (value & 0x7f) | 0x80
    this.#bytes[at + 1] = ((value >>> 7) & 0x7f) | 0x80
    this.#bytes[at + 2] = value >>> 14
  }

  i32(value: number): void {
    this.byte(OP.i32Const)
    let rest = value
    for (;;) {
      const low = rest & 0x7f
      rest >>= 7
      if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return this.byte(low)
      this.byte(low | 0x80)
    }
  }

  /** Takes it as 64 bits. */
  i64(value: bigint): void {
    this.byte(OP.i64Const)
    if (value < 64n && value >= 0n) return this.byte(Number(value))
    let rest = BigInt.asIntN(64, value)
    for (;;) {
      const low = Number(rest & 0x7fn)
      rest >>= 7n
      if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) return this.byte(low)
      this.byte(low | 0x80)
    }
  }

  get(local: number): void {
    this.byte(OP.localGet)
    this.unsigned(local)
  }

  set(local: number): void {
    this.byte(OP.localSet)
    this.unsigned(local)
  }

  tee(local: number): void {
    this.byte(OP.localTee)
    this.unsigned(local)
  }

  global(index: number): void {
    this.byte(OP.globalGet)
    this.unsigned(index)
  }

  call(index: number): void {
    this.byte(OP.call)
    this.unsigned(index)
  }

  /** A load or store, of any alignment. */
  memory(op: number, offset: number): void {
    this.byte(op)
    this.byte(0)
    this.unsigned(offset)
  }

  vector(op: number): void {
    this.byte(SIMD_PREFIX)
    this.unsigned(op)
  }

  vectorMemory(op: number, offset: number): void {
    this.vector(op)
    this.byte(0)
    this.unsigned(offset)
  }

  /** Reverses the bytes of a vector. */
  reverse(): void {
    this.vector(SIMD.shuffle)
    this.append(REVERSED)
  }

  lane(op: number, lane: number): void {
    this.vector(op)
    this.byte(lane)
  }
}
