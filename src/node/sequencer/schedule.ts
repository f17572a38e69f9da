import type { Clock } from '#primitives/clock.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { ChainSpec } from '../spec/chain-spec.ts'

/** How a block's time is divided. */
export interface Timing {
  readonly partialMs: number
  readonly partialsPerBlock: number
}

/**
 * The shortest timing, for automine: a block's timestamp is the second in which it opens, or the second after its
 * parent's.
 */
export const AT_ONCE: Timing = {
  partialMs: OPTION_RANGES.partialMs.min,
  partialsPerBlock: OPTION_RANGES.partialsPerBlock.min,
}

/** The live block's place in the schedule. Times are of the schedule (`ChainTime.scheduleNow`), in milliseconds. */
export interface LiveSlot {
  readonly openedAtMs: number
  /** Index of the newest partial block. */
  readonly index: number
  /** When that partial block was due: `openedAtMs` plus a whole number of ticks. */
  readonly dueAtMs: number
}

/** One tick's work: cut the next partial block, or seal the live block and open the next. */
export type TickPlan = { readonly kind: 'cut'; readonly slot: LiveSlot } | { readonly kind: 'seal' }

/** Chain time of a whole block, in milliseconds. */
export function blockMs({ partialMs, partialsPerBlock }: Timing): number {
  return partialMs * partialsPerBlock
}

/** When the next tick is due: one step of the block's grid after the slot. */
export function nextTickAtMs(slot: LiveSlot, { partialMs }: Timing): number {
  return slot.dueAtMs + partialMs
}

/**
 * Plans the tick at `nowMs`. A tick may come up to one step early.
 *
 * Missed ticks are not made up for: the block then has fewer partial blocks, its indices have no gap, and it is sealed
 * on time.
 *
 * @param sealDelayMs - Delay of the seal; until then the last index stays open.
 */
export function planTick(nowMs: number, slot: LiveSlot, timing: Timing, sealDelayMs = 0): TickPlan {
  const now = Math.max(nowMs, nextTickAtMs(slot, timing))
  const last = timing.partialsPerBlock - 1
  const isLastCut = slot.dueAtMs >= slot.openedAtMs + last * timing.partialMs
  const passed = ticksBetween(slot.openedAtMs, now, timing)
  const isDue = now >= slot.openedAtMs + blockMs(timing) + sealDelayMs
  if (passed > last && (isDue || isLastCut)) return { kind: 'seal' }
  const steps = Math.min(passed, last)
  const dueAtMs = slot.openedAtMs + steps * timing.partialMs
  // A block that took the place of a newer one may have more partial blocks than ticks have passed.
  const index = Math.max(slot.index, Math.min(slot.index + 1, last))
  return { kind: 'cut', slot: { openedAtMs: slot.openedAtMs, index, dueAtMs } }
}

/**
 * The slot of the block after the one sealed at `nowMs`: the next place on the grid or, if a block or more was missed, the
 * place in which `nowMs` lies.
 */
export function nextOpening(nowMs: number, { openedAtMs }: LiveSlot, timing: Timing): LiveSlot {
  const whole = blockMs(timing)
  return openingAt(openedAtMs + Math.max(1, Math.floor((nowMs - openedAtMs) / whole)) * whole)
}

/** The slot of a block that opens at `ms`. */
export function openingAt(ms: number): LiveSlot {
  return { openedAtMs: ms, index: 0, dueAtMs: ms }
}

/** The slot of a block that takes over the rest of another one's: the next tick and the seal are due when they were. */
export function takenOver(slot: LiveSlot, timing: Timing): LiveSlot {
  return { ...regridded(slot, timing), index: 0 }
}

/** A slot with another timing, counted from when the block was opened. */
export function regridded({ openedAtMs, index, dueAtMs }: LiveSlot, timing: Timing): LiveSlot {
  const steps = Math.min(ticksBetween(openedAtMs, dueAtMs, timing), timing.partialsPerBlock - 1)
  return { openedAtMs, index, dueAtMs: openedAtMs + steps * timing.partialMs }
}

/** Whole ticks from one moment to another. A fraction of a millisecond that is lost in the difference costs none. */
function ticksBetween(fromMs: number, toMs: number, { partialMs }: Timing): number {
  return Math.floor((toMs - fromMs) / partialMs + 1e-6)
}

/** A slot on a schedule whose time has moved by `ms`. */
export function shifted(slot: LiveSlot, ms: number): LiveSlot {
  return { ...slot, openedAtMs: slot.openedAtMs + ms, dueAtMs: slot.dueAtMs + ms }
}

/**
 * Where chain time starts, in milliseconds since the Unix epoch: never before the chain's first block.
 *
 * @param first - Timestamp of that block, in seconds.
 * @param isFork - Whether it is another chain's, which this one continues.
 */
export function startMsAfter(
  first: number,
  { mode, forkTime }: Pick<ChainSpec, 'mode' | 'forkTime'>,
  clock: Pick<Clock, 'now'>,
  isFork: boolean,
): number {
  const followsClock = isFork ? forkTime === 'now' : mode === 'auto'
  if (followsClock) return Math.max(first * 1000, clock.now())
  return Math.max(first, isFork && typeof forkTime === 'number' ? forkTime : 0) * 1000
}

/** Header timestamp of a block that opened at `openedAtMs`: its scheduled seal, rounded down to the second. */
export function timestampOf(openedAtMs: number, timing: Timing): number {
  return Math.floor((openedAtMs + blockMs(timing)) / 1000)
}
