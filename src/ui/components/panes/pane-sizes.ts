import { parsedJson } from '#primitives/json-object.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'

const KEY = 'blinknet-panes'
/** Most sets of panes whose sizes are kept; a page has fewer. */
const MOST_SETS = 32

/**
 * Moves the border after one pane. The two panes beside it share what they had together; others keep their sizes.
 *
 * @param sizes - Shares of the room, which are 1 together.
 * @param border - Index of the pane before the border.
 * @param to - The share that the pane before the border wants.
 * @param least - The smallest share of each pane.
 */
export function moveBorder(
  sizes: readonly number[],
  border: number,
  to: number,
  least: readonly number[],
): readonly number[] {
  const [before, after] = [sizes[border], sizes[border + 1]]
  if (before === undefined || after === undefined) return sizes
  const both = before + after
  const [low, high] = borderRange(sizes, border, least)
  const next = Math.min(Math.max(to, low), high)
  return sizes.with(border, next).with(border + 1, both - next)
}

/** The smallest and the largest share that the pane before a border can have; both are its share if there is no room. */
export function borderRange(
  sizes: readonly number[],
  border: number,
  least: readonly number[],
): readonly [number, number] {
  const [before = 0, after = 0] = [sizes[border], sizes[border + 1]]
  const low = least[border] ?? 0
  const high = before + after - (least[border + 1] ?? 0)
  return low <= high ? [low, high] : [before, before]
}

/** The sizes that a person gave a set of panes in this browser; `undefined` if there are none that fit. */
export function keptSizes(name: string, count: number): readonly number[] | undefined {
  const sizes = readAll()[name]
  return sizes?.length === count ? sizes : undefined
}

/** Keeps the sizes of a set of panes; without sizes, the set is as at first again. */
export function keepSizes(name: string, sizes: readonly number[] | undefined): void {
  const { [name]: _, ...others } = readAll()
  const entries = Object.entries(others).slice(0, MOST_SETS - 1)
  const all = Object.fromEntries(sizes ? [[name, sizes], ...entries] : entries)
  keep(KEY, Object.keys(all).length === 0 ? null : JSON.stringify(all))
}

function readAll(): Record<string, readonly number[]> {
  const kept = parsedJson(readKept(KEY) ?? '{}')
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, number[]] => areSizes(entry[1])))
}

function areSizes(sizes: unknown): sizes is number[] {
  if (!Array.isArray(sizes)) return false
  const isShare = (size: unknown) => typeof size === 'number' && size > 0 && size < 1
  return sizes.every(isShare) && Math.abs(sizes.reduce((sum: number, size: number) => sum + size, 0) - 1) < 0.001
}
