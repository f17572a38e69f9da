import { JUMP, type MappedCode } from '#solidity/code/source-map.ts'
import type { ParsedTrace } from '#solidity/trace/parsed-trace.ts'
import { OffsetStack } from './offset-stack.ts'
import type { FrameCode } from './traced-code.ts'

/** A jump into an internal function that has not returned yet. */
export interface InternalCall {
  /** Step of the jump. */
  readonly step: number
  /** Instruction of the jump. */
  readonly site: number
  /** Instruction that it leads to. */
  readonly target: number
  /** Step that pushed where it returns to, plus one; 0 if there is none. */
  readonly returnPush: number
}

/** Deepest stack of internal calls: each takes at least one of the stack's 1,024 words. */
const DEPTH_LIMIT = 1_024

/**
 * Follows a frame step by step and tracks the internal calls that it is in, by the jumps that the source map marks and, if
 * `entries` is given, by jumps to the beginnings of functions. A return is a jump to what was pushed for it before the call;
 * it need not be marked, as the optimizer does not keep all marks.
 */
export class InternalCalls {
  readonly #mapped: MappedCode
  readonly #entries: Uint8Array | undefined
  readonly #calls: InternalCall[]
  readonly #stack: OffsetStack
  /** Step and instruction of a jump that lands at the next step; −1 if there is none. */
  #jumpStep = -1
  #jump = -1
  /** Step that pushed the target of that jump, and the next offset below it, plus one. */
  #pushed = 0
  #below = 0

  /**
   * @param entries - For each instruction, 1 if a function of the sources begins there.
   * @param calls - Internal calls that the frame is already in.
   */
  constructor(
    mapped: MappedCode,
    entries?: Uint8Array,
    calls: readonly InternalCall[] = [],
    stack: OffsetStack = new OffsetStack(),
  ) {
    this.#mapped = mapped
    this.#entries = entries
    this.#calls = [...calls]
    this.#stack = stack
  }

  /** A copy that goes on independently from the same step. */
  copy(): InternalCalls {
    const copied = new InternalCalls(this.#mapped, this.#entries, this.#calls, this.#stack.copy())
    copied.#jump = this.#jump
    copied.#pushed = this.#pushed
    copied.#below = this.#below
    copied.#jumpStep = this.#jumpStep
    return copied
  }

  /** Outermost first. */
  get calls(): readonly InternalCall[] {
    return this.#calls
  }

  /** Takes the frame's next step. @param instruction - Index of the instruction in the code. */
  step(step: number, instruction: number): void {
    const { ops, jumps } = this.#mapped
    if (this.#jump >= 0) this.#follow(instruction, jumps[this.#jump] as number)
    const op = ops[instruction]
    this.#jump = op === JUMP_OP || op === JUMPI_OP ? instruction : -1
    this.#jumpStep = step
    if (this.#jump >= 0) {
      this.#pushed = this.#stack.at(0)
      this.#below = this.#stack.noteBelow(0)
    }
    this.#stack.apply(op as number, op === PUSH2 || op === PUSH1 || op === PUSH3 ? step + 1 : 0)
  }

  #follow(target: number, kind: number): void {
    const site = this.#jump
    if (
      kind === JUMP.into ||
      (this.#entries?.[target] === 1 && target !== site + 1 && !isLoop(this.#mapped, site, target))
    ) {
      if (this.#calls.length >= DEPTH_LIMIT) return
      this.#calls.push({ step: this.#jumpStep, site, target, returnPush: this.#below })
      return
    }
    const returned = this.#pushed === 0 ? -1 : this.#calls.findIndex(({ returnPush }) => returnPush === this.#pushed)
    const call = returned >= 0 ? returned : this.#calls.findLastIndex((each) => each.site === target - 1)
    if (call >= 0) this.#calls.length = call
    else if (kind === JUMP.out) this.#calls.pop()
  }
}

/** Whether a jump that is not marked as a call leads back to the beginning of the function that it is in. */
export function isLoop({ ops, starts, lengths, files }: MappedCode, site: number, target: number): boolean {
  const [start, entry] = [starts[site] as number, starts[target] as number]
  const isWithin =
    files[site] === files[target] &&
    start >= entry &&
    start + (lengths[site] as number) <= entry + (lengths[target] as number)
  // A call of itself pushes where to return to, and then the function.
  return isWithin && !pushesReturn(ops, site)
}

/** Whether the block that ends with a jump pushes an offset besides that of the jump. */
function pushesReturn(ops: Uint8Array, site: number): boolean {
  let pushes = 0
  for (let i = site - 1; i >= 0 && ops[i] !== JUMPDEST_OP && ops[i] !== JUMP_OP && ops[i] !== JUMPI_OP; i--) {
    if (ops[i] === PUSH2 || ops[i] === PUSH3) pushes++
  }
  return pushes > 1
}

const PUSH1 = 0x60
const PUSH2 = 0x61
const PUSH3 = 0x62
const JUMPDEST_OP = 0x5b
const JUMP_OP = 0x56
const JUMPI_OP = 0x57

/**
 * Follows a frame from its beginning, also by jumps to the beginnings of functions, which the optimizer may leave unmarked.
 * `undefined` if its code is not recognised.
 */
export function followCalls(code: FrameCode): InternalCalls | undefined {
  return code.mapped && new InternalCalls(code.mapped, entriesOf(code, code.mapped))
}

/** The internal calls that a frame is in at one of its steps, outermost first. */
export function internalCallsAt(
  parsed: ParsedTrace,
  frame: number,
  code: FrameCode,
  last: number,
): readonly InternalCall[] {
  const followed = followCalls(code)
  if (!code.mapped || !followed) return []
  const { at } = code.mapped
  for (const { start, end } of parsed.segmentsOf(frame)) {
    for (let step = start; step < end && step <= last; step++) followed.step(step, at[parsed.pcs[step] as number] ?? -1)
    if (end > last) break
  }
  return followed.calls
}

const ENTRIES = new WeakMap<MappedCode, Uint8Array>()

/** For each instruction, 1 if a function of the sources begins there. */
function entriesOf({ entries }: FrameCode, mapped: MappedCode): Uint8Array {
  const known = ENTRIES.get(mapped)
  if (known) return known
  const functions = new Uint8Array(mapped.ops.length)
  for (const { entry, id } of [...entries.values()].flat()) {
    const at = mapped.at[entry] ?? -1
    if (id !== undefined && at >= 0) functions[at] = 1
  }
  ENTRIES.set(mapped, functions)
  return functions
}
