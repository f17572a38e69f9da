/** Latencies of one transaction since the node received it, in milliseconds. */
export interface Latency {
  readonly preconfirmedMs: number
  readonly sealedMs: number
}

/**
 * The smallest value that at least `share` of the values (above 0, up to 1) do not exceed; `undefined` if there are
 * none.
 */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/** Number of values in each of `bins` equal parts of 0 to `end`; larger ones count in the last. */
export function histogram(values: readonly number[], bins: number, end: number): readonly number[] {
  const counts = Array.from({ length: bins }, () => 0)
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor((value / end) * bins)))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts
}

/** At most `count` of the items, evenly spread over all of them. */
export function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items
  return items.filter((_, i) => Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length))
}
