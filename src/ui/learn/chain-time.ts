import { create } from 'zustand'

/** How fast the chain's clock ran from a moment on. */
export interface TourPace {
  /** Milliseconds since the Unix epoch. */
  readonly fromMs: number
  /** Chain time over real time; 0 while the clock is stopped. */
  readonly speed: number
}

/**
 * Chain time between two moments: what the span would have taken at full speed.
 *
 * @param fromMs - Milliseconds since the Unix epoch.
 * @param toMs - Milliseconds since the Unix epoch.
 * @param paces - Oldest first. Before the first one the clock ran at full speed.
 * @returns Milliseconds.
 */
export function chainTimeBetween(fromMs: number, toMs: number, paces: readonly TourPace[]): number {
  const all = [{ fromMs: Number.NEGATIVE_INFINITY, speed: 1 }, ...paces]
  return all.reduce((sum, pace, i) => {
    const start = Math.max(fromMs, pace.fromMs)
    const end = Math.min(toMs, all[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY)
    return sum + Math.max(0, end - start) * pace.speed
  }, 0)
}

/** Whether the clock was stopped or slowed between two moments; takes what {@link chainTimeBetween} does. */
export function wasSlowed(fromMs: number, toMs: number, paces: readonly TourPace[]): boolean {
  return toMs - fromMs - chainTimeBetween(fromMs, toMs, paces) > 1
}

/** When the scenes of the stage stopped the clock and let it go on, oldest first: how long a speaker talks is no time of the chain. */
export const useTalkPaces = create<{ readonly paces: readonly TourPace[] }>()(() => ({ paces: [] }))
