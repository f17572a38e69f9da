import { JUMP, type MappedCode } from '#solidity/code/source-map.ts'
import type { Place } from '#solidity/source/source-index.ts'
import type { ParsedTrace } from '#solidity/trace/parsed-trace.ts'
import { OffsetStack } from './offset-stack.ts'
import type { FrameCode } from './traced-code.ts'

const JUMPDEST = 0x5b
const JUMP_OP = 0x56
const JUMPI_OP = 0x57
const PUSH0 = 0x5f
/** STOP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<number> = new Set([0x00, 0xf3, 0xfd, 0xfe, 0xff])
/** Whether the place of a step is its own. */
export interface Certainty {
  /** Via IR, code that goes on elsewhere also counts if only its end can be shared. */
  readonly isCertain: (step: number) => boolean
  /** Whether nothing on the way was shared, whatever the pipeline. */
  readonly isStrict: (step: number) => boolean
}

const IS_CERTAIN = 1
const IS_STRICT = 2
/** The code can be reached in several ways, so where it leads to may have been kept from another copy of it. */
const IS_SHARED = 4
const STATES = 8
const NOT_OPTIMIZED: Certainty = { isCertain: () => true, isStrict: () => true }

/**
 * Finds the steps of optimised code whose places are their own. Of blocks that do the same, the optimizer keeps one: who led
 * to one that was left out now leads to the one that was kept, from a place that has nothing to do with it. So what runs after
 * a jump is certain if the code that pushed its target is certain and belongs to the same construct (an `if` and the code
 * after it have the same place in the source map), or if nothing else leads there.
 *
 * Whole functions that became one are not counted: who called it tells which of them runs.
 *
 * @param last - The last step that is looked at.
 */
export function certainSteps(parsed: ParsedTrace, frame: number, code: FrameCode, last: number): Certainty {
  const { mapped } = code
  if (!mapped || !code.isOptimized) return NOT_OPTIMIZED
  const { firstStep = 0 } = parsed.trace.frames[frame] ?? {}
  const certain = new Uint8Array(Math.max(0, last + 1 - firstStep))
  const ways = waysOf(code, mapped)
  const { ops, at } = mapped
  /** The note of a word is the PUSH that it comes from plus one, times the number of states, and how certain the code was. */
  const stack = new OffsetStack()
  let state = IS_CERTAIN | IS_STRICT
  let jump = -1
  let target = 0
  for (const { start, end } of parsed.segmentsOf(frame)) {
    for (let step = start; step < end && step <= last; step++) {
      const i = at[parsed.pcs[step] as number] ?? -1
      const op = ops[i] ?? 0
      if (jump >= 0 && i !== jump + 1) state = ways.stateAfter(Math.floor(target / STATES), target % STATES, i, jump)
      certain[step - firstStep] = state
      const isJump = op === JUMP_OP || op === JUMPI_OP
      jump = isJump ? i : -1
      if (isJump) target = stack.at(0)
      stack.apply(op, STATES * (i + 1) + state)
    }
    if (end > last) break
  }
  const has = (step: number, bit: number) => ((certain[step - firstStep] ?? 0) & bit) !== 0
  return { isCertain: (step) => has(step, IS_CERTAIN), isStrict: (step) => has(step, IS_STRICT) }
}

interface Ways {
  /**
   * How certain the code is that a jump leads to.
   *
   * @param pushed - Where its target was pushed, as the stack has it.
   * @param state - How certain that code was.
   * @param landing - Instruction that it leads to.
   * @param site - Instruction of the jump.
   */
  readonly stateAfter: (pushed: number, state: number, landing: number, site: number) => number
}

const WAYS = new WeakMap<MappedCode, Ways>()

function waysOf(code: FrameCode, mapped: MappedCode): Ways {
  const known = WAYS.get(mapped)
  if (known) return known
  const counts = countWays(code.bytes, mapped)
  const decided = new Map<number, boolean>()
  const stateAfter = (pushed: number, state: number, landing: number, site: number) => {
    const place = code.placeOf(landing)
    // Who called it tells which function runs.
    if (place?.callable && !place.isInside && mapped.jumps[site] !== JUMP.out) return IS_CERTAIN | IS_STRICT
    if (pushed === 0) return 0
    const isShared = (counts[landing] ?? 0) > 1
    if (!isShared && (state & IS_SHARED) === 0) return state
    const push = pushed - 1
    const key = push * mapped.ops.length + landing
    let answer = decided.get(key)
    if (answer === undefined) decided.set(key, (answer = belongs(code, mapped, push, landing)))
    if (answer) return isShared ? state | IS_SHARED : state
    return code.isViaIr && !endsThere(mapped.ops, landing) ? (state & ~IS_STRICT) | IS_SHARED : 0
  }
  const made = { stateAfter }
  WAYS.set(mapped, made)
  return made
}

/** Whether the frame ends with the code from an instruction on, if no jump leads away. */
function endsThere(ops: Uint8Array, from: number): boolean {
  for (let i = from; i < ops.length; i++) {
    if (ENDS.has(ops[i] as number)) return true
    if (ops[i] === JUMP_OP) return false
  }
  return true
}

/** In how many ways each jump target can be reached: by jumps, and by running on into it. */
function countWays(bytes: Uint8Array, mapped: MappedCode): Uint32Array {
  const { ops, pcs, at } = mapped
  const counts = new Uint32Array(ops.length)
  const width = widthOfOffsets(bytes, mapped)
  ops.forEach((op, i) => {
    const before = ops[i - 1]
    if (op === JUMPDEST && before !== undefined && before !== JUMP_OP && !ENDS.has(before)) {
      counts[i] = (counts[i] as number) + 1
    }
    if (op !== PUSH0 + width) return
    const target = at[pushedAt(bytes, pcs[i] as number, width)] ?? -1
    if (target >= 0) counts[target] = (counts[target] as number) + 1
  })
  return counts
}

/** The assembler pushes all offsets with the same number of bytes; a number of another width is no offset. */
function widthOfOffsets(bytes: Uint8Array, { ops, pcs, at }: MappedCode): number {
  const counts = [0, 0, 0, 0]
  ops.forEach((op, i) => {
    const width = op - PUSH0
    if (width < 1 || width > 3 || (ops[i + 1] !== JUMP_OP && ops[i + 1] !== JUMPI_OP)) return
    if (ops[at[pushedAt(bytes, pcs[i] as number, width)] ?? -1] === JUMPDEST) counts[width] = (counts[width] ?? 0) + 1
  })
  return counts.indexOf(Math.max(...counts))
}

function pushedAt(bytes: Uint8Array, pc: number, width: number): number {
  let value = 0
  for (let byte = pc + 1; byte <= pc + width; byte++) value = value * 256 + (bytes[byte] ?? 0)
  return value
}

/** Whether the code that pushes an offset belongs to the same construct as the code there. */
function belongs(code: FrameCode, { starts, lengths, files }: MappedCode, push: number, start: number): boolean {
  const isSame = starts[push] === starts[start] && lengths[push] === lengths[start] && files[push] === files[start]
  const [from, to] = [code.placeOf(push), code.placeOf(start)]
  // Via IR all generated code has the place of the contract, and what a call returns to may have that of the function.
  if (code.isViaIr && !to?.isInside) return false
  if (isSame) return true
  // A `return` leads to the end of its function.
  if (to?.callable && !to.isInside) return from?.callable === to.callable
  return Boolean(from && to && isEndOf(from, to))
}

/** Whether a place is the last in another, as that of a call is in an `if` that ends with it: both go on at the same point. */
function isEndOf({ source, start, end }: Place, last: Place): boolean {
  if (source !== last.source || last.start < start || last.end > end) return false
  return end - last.end <= END_LIMIT && /^[\s;}]*$/.test(source.text.slice(last.end, end))
}

/** Most characters from the end of a statement to that of the block that it ends. */
const END_LIMIT = 1_000
