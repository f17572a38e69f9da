import type { StackFrame } from '#solidity/stack/stack-frame.ts'

/** The part of a stack frame that is compared. */
export type ToldFrame = Pick<StackFrame, 'code' | 'contract' | 'function' | 'kind' | 'line'>

/** How told frames stand to the right ones. */
export interface Comparison {
  /** `wrong line`: a line that is told is not a right one, or out of order; `wrong name`: a function that did not run. */
  readonly verdict: 'right' | 'wrong line' | 'wrong name'
  /** Lines that are known in the right stack, and how many of them are told. */
  readonly lines: number
  readonly told: number
  /** Whether the innermost function is named, and is not where it failed. */
  readonly isShortened: boolean
}

function nameOf({ code, contract, function: name, kind }: ToldFrame): string {
  return [contract ?? code, name || kind].filter(Boolean).join('.')
}

/** Whether a told frame is the right one, as far as it is told. */
function isLike(told: ToldFrame, right: ToldFrame, withLine: boolean): boolean {
  if (told.function !== undefined && nameOf(told) !== nameOf(right)) return false
  return !withLine || told.line === undefined || right.line === undefined || told.line === right.line
}

/** Whether what is told is the right stack with some frames left out. A line that stands first must be where it failed. */
function isWithin(told: readonly ToldFrame[], right: readonly ToldFrame[], withLine: boolean): boolean {
  let at = 0
  for (const [index, frame] of told.entries()) {
    const found = right.findIndex((each, i) => i >= at && isLike(frame, each, withLine))
    if (found < 0) return false
    if (index === 0 && withLine && frame.line !== undefined && found > 0) return false
    at = found + 1
  }
  return true
}

/** Compares stack traces of the same call, innermost first. */
export function compareStacks(told: readonly ToldFrame[], right: readonly ToldFrame[]): Comparison {
  const lines = right.filter(({ line }) => line !== undefined).length
  const verdict = !isWithin(told, right, false) ? 'wrong name' : !isWithin(told, right, true) ? 'wrong line' : 'right'
  const [first, innermost] = [told[0], right[0]]
  const isShortened = Boolean(first?.function !== undefined && innermost && nameOf(first) !== nameOf(innermost))
  return { verdict, lines, told: told.filter(({ line }) => line !== undefined).length, isShortened }
}
