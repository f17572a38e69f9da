import type { LoggedCall } from '#client/call-log.ts'

/** Where a call's bar stands on the common axis: shares of its length. */
export interface WaterfallBar {
  readonly offset: number
  readonly length: number
}

/** Calls that begin within so many milliseconds of one another's beginning belong together. */
const TOGETHER_MS = 20

/**
 * Bars for calls, oldest first. Calls that begin together share one beginning, so that one sees which waited for which;
 * the axis is as long as the longest such group.
 *
 * @returns By id; calls that still wait have none.
 */
export function waterfall(calls: readonly LoggedCall[]): ReadonlyMap<number, WaterfallBar> {
  const spans: { readonly id: number; readonly fromMs: number; readonly tookMs: number }[] = []
  let groupStartMs = Number.NEGATIVE_INFINITY
  let previousMs = Number.NEGATIVE_INFINITY
  for (const { id, startedAtMs, outcome } of calls) {
    if (startedAtMs - previousMs > TOGETHER_MS) groupStartMs = startedAtMs
    previousMs = startedAtMs
    if (outcome.status !== 'waiting') spans.push({ id, fromMs: startedAtMs - groupStartMs, tookMs: outcome.tookMs })
  }
  const axisMs = spans.reduce((longest, { fromMs, tookMs }) => Math.max(longest, fromMs + tookMs), 0)
  if (axisMs === 0) return new Map(spans.map(({ id }) => [id, { offset: 0, length: 0 }]))
  return new Map(spans.map(({ id, fromMs, tookMs }) => [id, { offset: fromMs / axisMs, length: tookMs / axisMs }]))
}
