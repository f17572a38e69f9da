import { STACK_EFFECT } from '#solidity/code/stack-effect.ts'
import { type CodeLines, linesOf } from '#solidity/gas/code-lines.ts'
import type { Callable } from '#solidity/source/outline.ts'
import { followCalls, type InternalCalls } from '#solidity/stack/internal-calls.ts'
import type { FrameCode } from '#solidity/stack/traced-code.ts'
import type { ParsedTrace, Segment } from '#solidity/trace/parsed-trace.ts'

/** The function that is running at a step. */
export interface RunningFunction {
  readonly callable: Callable
  /** Byte offset in the source that it has reached; `undefined` outside the function itself, as in a modifier. */
  readonly at: number | undefined
  /** Height of the stack, in words, when it began. */
  readonly height: number
}

/** `leaving`: the compiler clears the stack; `none`: no function of the sources has begun. */
export type Running = RunningFunction | 'leaving' | 'none'

/** Steps between two saved states from which a walk can resume. */
const STRIDE = 1 << 14

/** State of a walk through a frame. */
interface State {
  readonly calls: InternalCalls
  /** For each call, the height of the stack when it began, and the newest instruction with a known line. */
  readonly levels: { readonly height: number; newest: number }[]
  height: number
  /** Index of the current segment, and the next step. */
  segment: number
  next: number
  /** The newest instruction. */
  instruction: number
}

/** Finds the running function at any step of a frame. A step near the last one is quick, however long the run is. */
export class FrameWalk {
  readonly #code: FrameCode
  readonly #lines: CodeLines
  readonly #at: Int32Array
  readonly #ops: Uint8Array
  readonly #pcs: Uint32Array
  readonly #segments: readonly Segment[]
  readonly #kept: State[] = []
  #present: State

  private constructor(parsed: ParsedTrace, frame: number, code: FrameCode, parts: Parts) {
    this.#code = code
    this.#lines = parts.lines
    this.#at = parts.at
    this.#ops = parts.ops
    this.#pcs = parsed.pcs
    this.#segments = parsed.segmentsOf(frame)
    const next = this.#segments[0]?.start ?? 0
    this.#present = { calls: parts.calls, levels: [], height: 0, segment: 0, next, instruction: -1 }
  }

  /** The running function at a step; `undefined` if the frame's code has no source map. */
  static of(parsed: ParsedTrace, frame: number, code: FrameCode): FrameWalk | undefined {
    const lines = linesOf(code)
    const calls = followCalls(code)
    if (!code.mapped || !lines || !calls) return undefined
    const { at, ops } = code.mapped
    return new FrameWalk(parsed, frame, code, { lines, calls, at, ops })
  }

  runningAt(step: number): Running {
    const state = this.#goTo(step)
    const { calls } = state.calls
    const index = calls.findLastIndex(({ target }) => this.#lines.entries.has(target))
    const level = state.levels[index]
    const whole = this.#code.placeOf(calls[index]?.target ?? -1)
    if (!level || !whole?.callable || whole.isInside) return 'none'
    // Generated code runs on behalf of the function.
    const { newest } = state.levels.slice(index).findLast((each) => each.newest >= 0) ?? level
    const place = newest < 0 ? undefined : this.#code.placeOf(newest)
    const present = this.#code.placeOf(state.instruction)
    const isWhole = present?.callable === whole.callable && !present.isInside
    if (isWhole && newest >= 0 && index === calls.length - 1) return 'leaving'
    // Inside a modifier only the function's own variables are certain.
    const at = place?.callable === whole.callable ? place.start : undefined
    return { callable: whole.callable, at, height: level.height }
  }

  #goTo(step: number): State {
    if (this.#present.next > step + 1) {
      const kept = this.#kept.findLast(({ next }) => next <= step)
      if (kept) this.#present = copyOf(kept)
    } else {
      // When jumping far ahead, a saved state may be nearer.
      const kept = this.#kept.findLast(({ next }) => next <= step)
      if (kept && kept.next > this.#present.next) this.#present = copyOf(kept)
    }
    const state = this.#present
    for (; state.segment < this.#segments.length; state.segment++) {
      const { start, end } = this.#segments[state.segment] as Segment
      state.next = Math.max(state.next, start)
      while (state.next < end) {
        if (state.next > step) return state
        this.#keep(state)
        this.#walk(state)
      }
    }
    return state
  }

  #keep(state: State): void {
    const last = this.#kept.at(-1)
    if (!last || state.next >= last.next + STRIDE) this.#kept.push(copyOf(state))
  }

  #walk(state: State): void {
    const instruction = this.#at[this.#pcs[state.next] as number] ?? -1
    state.calls.step(state.next, instruction)
    const { length } = state.calls.calls
    const { levels } = state
    if (length > levels.length) levels.push({ height: state.height, newest: -1 })
    else levels.length = length
    const level = levels.at(-1)
    if (level && (this.#lines.lineOf[instruction] ?? -1) >= 0) level.newest = instruction
    state.height += STACK_EFFECT[this.#ops[instruction] ?? 0] as number
    state.instruction = instruction
    state.next++
  }
}

interface Parts {
  readonly lines: CodeLines
  readonly calls: InternalCalls
  readonly at: Int32Array
  readonly ops: Uint8Array
}

function copyOf({ calls, levels, ...rest }: State): State {
  return { ...rest, calls: calls.copy(), levels: levels.map((level) => ({ ...level })) }
}
