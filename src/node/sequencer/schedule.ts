import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'

/** The division of a block's time. */
export interface Timing {
  readonly partialMs: number
  readonly partialsPerBlock: number
}

/** The shortest: a block has the second in which it opens for its timestamp, or the second after its parent's. */
export const AT_ONCE: Timing = {
  partialMs: OPTION_RANGES.partialMs.min,
  partialsPerBlock: OPTION_RANGES.partialsPerBlock.min,
}

/** The live block's place in the schedule. Times are chain time, in milliseconds. */
export interface LiveSlot {
  readonly openedAtMs: number
  /** Index of the newest partial block. */
  readonly index: number
  /** When that one was due: `openedAtMs` and a whole number of ticks. */
  readonly dueAtMs: number
}

/** One tick's work: cut the next partial block, or seal the live block and open the next. */
export type TickPlan = { readonly kind: 'cut'; readonly slot: LiveSlot } | { readonly kind: 'seal' }

/** Chain time of a whole block, in milliseconds. */
export function blockMs({ partialMs, partialsPerBlock }: Timing): number {
  return partialMs * partialsPerBlock
}

/** When the tick after the slot is due: one step of the block's grid later. */
export function nextTickAtMs(slot: LiveSlot, { partialMs }: Timing): number {
  return slot.dueAtMs + partialMs
}

/**
 * The tick that is due at `nowMs`, or early by less than a step.
 *
 * Ticks that were missed are not made up for: the block then has fewer partial blocks, their indices without a gap, and
 * is sealed on time.
 *
 * @param sealDelayMs - By how much the seal was put off: until then the last index stays open.
 */
export function planTick(nowMs: number, slot: LiveSlot, timing: Timing, sealDelayMs = 0): TickPlan {
  const now = Math.max(nowMs, nextTickAtMs(slot, timing))
  const last = timing.partialsPerBlock - 1
  const isLastCut = slot.dueAtMs >= slot.openedAtMs + last * timing.partialMs
  const passed = Math.floor((now - slot.openedAtMs) / timing.partialMs)
  const isDue = now >= slot.openedAtMs + blockMs(timing) + sealDelayMs
  if (passed > last && (isDue || isLastCut)) return { kind: 'seal' }
  const steps = Math.min(passed, last)
  const dueAtMs = slot.openedAtMs + steps * timing.partialMs
  return { kind: 'cut', slot: { openedAtMs: slot.openedAtMs, index: slot.index + 1, dueAtMs } }
}

/**
 * Index 0 of the block that follows the one that is sealed at `nowMs`: on the grid, or, after a pause of a block or
 * more, from now on.
 */
export function nextOpening(nowMs: number, { openedAtMs }: LiveSlot, timing: Timing): LiveSlot {
  const onGrid = openedAtMs + blockMs(timing)
  const next = nowMs >= onGrid + blockMs(timing) ? nowMs : onGrid
  return { openedAtMs: next, index: 0, dueAtMs: next }
}

/** Header timestamp of the block that opened at `openedAtMs`: the second of its scheduled seal. */
export function timestampOf(openedAtMs: number, timing: Timing): number {
  return Math.floor((openedAtMs + blockMs(timing)) / 1000)
}
