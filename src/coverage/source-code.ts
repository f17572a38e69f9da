import type { MappedCode } from '#solidity/code/source-map.ts'
import type { SourceRange } from '#solidity/source/outline.ts'
import type { CodeHits } from './code-hits.ts'

/** How often something was executed. */
export interface Hits {
  /** In frames whose effects were kept, and in all. */
  kept: number
  all: number
}

/** Opcodes by which code goes on or ends. */
export const OP = {
  JUMP: 0x56,
  JUMPI: 0x57,
  JUMPDEST: 0x5b,
  REVERT: 0xfd,
  INVALID: 0xfe,
  PUSH1: 0x60,
  PUSH32: 0x7f,
} as const

/** The instructions of one code that come from one source. */
export class SourceCode {
  readonly #code: CodeHits
  readonly #mapped: MappedCode
  readonly instructions: readonly number[]

  constructor(code: CodeHits, mapped: MappedCode, instructions: readonly number[]) {
    this.#code = code
    this.#mapped = mapped
    this.instructions = instructions
  }

  rangeOf(instruction: number): SourceRange {
    const start = this.#mapped.starts[instruction] as number
    return { start, end: start + (this.#mapped.lengths[instruction] as number) }
  }

  hitsOf(instruction: number): Hits {
    const pc = this.#mapped.pcs[instruction] as number
    const kept = this.#code.kept[pc] as number
    return { kept, all: kept + (this.#code.undone[pc] as number) }
  }

  opOf(instruction: number): number | undefined {
    return this.#mapped.ops[instruction]
  }

  /**
   * Where an `if` does nothing but `break` or the like, the compiler leaves the target of that: the jump of the `if`, turned
   * around, goes there. So it ran as often as that has jumped; `undefined` for all other instructions.
   */
  jumpHits(instruction: number): Hits | undefined {
    if (!this.isTurned(instruction + 1)) return undefined
    const { kept, all } = this.hitsOf(instruction + 1)
    const jumped = this.tellsWays(instruction + 1) ? Math.max(0, all - this.passedAt(instruction + 1)) : all
    return { kept: Math.min(kept, jumped), all: jumped }
  }

  /** Whether a JUMPI goes where something inside of what it decides would have gone. */
  isTurned(instruction: number): boolean {
    if (this.opOf(instruction) !== OP.JUMPI || !this.isFrom(instruction) || !this.isFrom(instruction - 1)) return false
    const [target, whole] = [this.rangeOf(instruction - 1), this.rangeOf(instruction)]
    return target.start > whole.start && target.end <= whole.end && this.targetOf(instruction) !== undefined
  }

  /** Whether the step after a JUMPI tells if it has jumped. */
  tellsWays(instruction: number): boolean {
    if (this.opOf(instruction + 1) !== OP.JUMPDEST) return true
    const target = this.targetOf(instruction)
    return target !== undefined && target !== instruction + 1
  }

  /** How often a JUMPI has not jumped. */
  passedAt(instruction: number): number {
    if (this.opOf(instruction + 1) !== OP.JUMPDEST)
      return this.#has(instruction + 1) ? this.hitsOf(instruction + 1).all : 0
    return this.#code.passed.get(this.#mapped.pcs[instruction] as number) ?? 0
  }

  #has(instruction: number): boolean {
    return instruction < this.#mapped.ops.length
  }

  /** Where a JUMPI jumps to, if the instruction before it says so. */
  targetOf(instruction: number): number | undefined {
    const { ops, pcs, at } = this.#mapped
    const op = ops[instruction - 1] ?? 0
    if (op < OP.PUSH1 || op > OP.PUSH32) return undefined
    const { bytes } = this.#code.recognised.code
    let target = 0
    for (let pc = (pcs[instruction - 1] as number) + 1; pc < (pcs[instruction] as number); pc++) {
      target = target * 256 + (bytes[pc] as number)
    }
    const found = at[target] ?? -1
    return found < 0 ? undefined : found
  }

  isFrom(instruction: number): boolean {
    return this.#mapped.files[instruction] === this.#mapped.files[this.instructions[0] as number]
  }
}
