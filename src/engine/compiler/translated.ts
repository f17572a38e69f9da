/** Translated code as it lies in the engine's memory: see `assembly/evm/code/instruction.ts` and `code.ts`. */

/** Kinds of instructions. */
export const KIND = {
  block: 0,
  leave: 1,
  go: 2,
  jump: 3,
  jumpIfNonzero: 4,
  jumpIfNotEqual: 11,
  nonzero: 12,
  zero: 13,
  less: 14,
  notLess: 15,
  signedLess: 16,
  notSignedLess: 17,
  equal: 18,
  notEqual: 19,
  move: 20,
  exchange: 21,
  add: 22,
  mul: 23,
  sub: 24,
  div: 25,
  sdiv: 26,
  mod: 27,
  smod: 28,
  addmod: 29,
  mulmod: 30,
  signextend: 31,
  and: 32,
  or: 33,
  xor: 34,
  not: 35,
  byte: 36,
  shl: 37,
  shr: 38,
  sar: 39,
  keccak256: 40,
  address: 41,
  caller: 42,
  callvalue: 43,
  calldataload: 44,
  calldatasize: 45,
  returndatasize: 46,
  msize: 47,
  mload: 48,
  mstore: 49,
  mstore8: 50,
  compiled: 51,
} as const

export const INSTRUCTION_BYTES = 16
export const BRANCH_BYTES = 32
/** From a conditional jump to its comparison. */
export const COMPARISONS_FROM_JUMPS = KIND.nonzero - KIND.jumpIfNonzero

export const CODE = { start: 32, size: 36, map: 44 } as const
const DESTINATION = 1
const EMPTY = 2
const FLAGS = 15

/** Bytes of the words that are the same for all frames of a message. */
export const ENVIRONMENT_BYTES = 11 * 32

/** Fields of a block. */
export const BLOCK = { growth: 2, offset: 4, gas: 8, place: 10, need: 12, runs: 14 } as const

export class TranslatedCode {
  readonly view: DataView
  readonly start: number
  readonly size: number
  readonly #map: number

  constructor(view: DataView, at: number) {
    this.view = view
    this.start = view.getUint32(at + CODE.start, true)
    this.size = view.getUint32(at + CODE.size, true)
    this.#map = view.getUint32(at + CODE.map, true)
  }

  /** The block at an offset of the code; 0 for none. */
  blockAt(offset: number): number {
    return offset < this.size ? this.u32(this.#map + 4 * offset) & ~FLAGS : 0
  }

  isDestination(offset: number): boolean {
    return offset < this.size && (this.u32(this.#map + 4 * offset) & DESTINATION) !== 0
  }

  /** Whether a step at an offset belongs to no block. */
  isEmptyAt(offset: number): boolean {
    return offset < this.size && (this.u32(this.#map + 4 * offset) & EMPTY) !== 0
  }

  opcode(offset: number): number {
    return this.view.getUint8(this.start + offset)
  }

  u16(at: number): number {
    return this.view.getUint16(at, true)
  }

  i16(at: number): number {
    return this.view.getInt16(at, true)
  }

  u32(at: number): number {
    return this.view.getUint32(at, true)
  }

  i32(at: number): number {
    return this.view.getInt32(at, true)
  }

  word(at: number): bigint {
    let value = 0n
    for (let i = 24; i >= 0; i -= 8) value = (value << 64n) | this.view.getBigUint64(at + i, true)
    return value
  }

  /** How often a block has run before it was compiled. */
  runs(block: number): number {
    return block === 0 ? 0 : this.u16(block + BLOCK.runs)
  }

  isCompiled(block: number): boolean {
    return this.u16(block) === KIND.compiled
  }

  /** From now on, the block's function is called. @param place - Its place in the table. */
  setCompiled(block: number, place: number): void {
    this.view.setUint16(block, KIND.compiled, true)
    this.view.setUint16(block + BLOCK.place, place, true)
  }

  /** From now on, it is interpreted again. */
  setInterpreted(block: number): void {
    this.view.setUint16(block, KIND.block, true)
  }
}
