import { STACK_EFFECT } from '#solidity/code/stack-effect.ts'

const PUSH0 = 0x5f
const PUSH32 = 0x7f
const DUP1 = 0x80
const SWAP1 = 0x90
const LOG0 = 0xa0
const LOG4 = 0xa4
/** Opcodes below PUSH0 that leave nothing on the stack: stores, copies, jumps. */
const LEAVES_NOTHING: ReadonlySet<number> = new Set([
  ...[0x37, 0x39, 0x3c, 0x3e, 0x50, 0x52, 0x53, 0x55, 0x56, 0x57, 0x5b, 0x5d, 0x5e],
])
/** Most words on the EVM's stack. */
const STACK_LIMIT = 1_024

/** The stack of a frame, with a note for each word that a PUSH put there: which one it was. Other words have the note 0. */
export class OffsetStack {
  readonly #notes: Float64Array
  #height: number

  constructor(notes?: Float64Array, height = 0) {
    this.#notes = notes ? notes.slice() : new Float64Array(STACK_LIMIT + 1)
    this.#height = height
  }

  copy(): OffsetStack {
    return new OffsetStack(this.#notes, this.#height)
  }

  /** The note of a word. @param depth - 0 for the topmost. */
  at(depth: number): number {
    return this.#notes[this.#height - 1 - depth] ?? 0
  }

  /** The topmost word below a depth that has a note; 0 if there is none. */
  noteBelow(depth: number): number {
    for (let i = this.#height - 2 - depth; i >= 0; i--) {
      const note = this.#notes[i] as number
      if (note !== 0) return note
    }
    return 0
  }

  /** Runs an instruction. @param note - For the word that it pushes, if it is a PUSH. */
  apply(op: number, note: number): void {
    const notes = this.#notes
    const height = this.#height
    if (op >= DUP1 && op < SWAP1) notes[height] = notes[height - 1 - (op - DUP1)] ?? 0
    else if (op >= SWAP1 && op < LOG0) {
      const other = height - 2 - (op - SWAP1)
      const top = notes[height - 1] ?? 0
      notes[height - 1] = notes[other] ?? 0
      notes[other] = top
    }
    this.#height = Math.max(0, Math.min(STACK_LIMIT, height + (STACK_EFFECT[op] as number)))
    if (op >= PUSH0 && op <= PUSH32) notes[this.#height - 1] = note
    else if (!LEAVES_NOTHING.has(op) && (op < PUSH0 || op > LOG4) && this.#height > 0) notes[this.#height - 1] = 0
  }
}
