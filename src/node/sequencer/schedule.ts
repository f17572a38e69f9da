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

/** The live block's place in the schedule. Times are chain time, in milliseconds. */
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
  const passed = Math.floor((now - slot.openedAtMs) / timing.partialMs)
  const isDue = now >= slot.openedAtMs + blockMs(timing) + sealDelayMs
  if (passed > last && (isDue || isLastCut)) return { kind: 'seal' }
  const steps = Math.min(passed, last)
  const dueAtMs = slot.openedAtMs + steps * timing.partialMs
  return { kind: 'cut', slot: { openedAtMs: slot.openedAtMs, index: slot.index + 1, dueAtMs } }
}

/**
 * The slot of the block after the one sealed at `nowMs`: the next place on the grid or, after a pause of a block or
 * more, `nowMs`.
 */
export function nextOpening(nowMs: number, { openedAtMs }: LiveSlot, timing: Timing): LiveSlot {
  const onGrid = openedAtMs + blockMs(timing)
  const next = nowMs >= onGrid + blockMs(timing) ? nowMs : onGrid
  return { openedAtMs: next, index: 0, dueAtMs: next }
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
