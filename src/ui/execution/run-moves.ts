import type { Run } from './run.ts'
import { nearestUpTo } from './shallow-steps.ts'

/** The place of every step in what a person reads, and its call depth. */
export interface Track {
  /**
   * A number for an instruction or a line. Consecutive steps with the same place and depth count as one. 0: unknown; moves
   * do not stop there.
   */
  readonly placeOf: (step: number) => number
  /** Call depth of each step. */
  readonly depths: Uint16Array
  readonly steps: number
}

export type Direction = 1 | -1
/** `into`: the next place; `over`: the next that is not deeper; `out`: the next that is less deep. */
export type Move = 'into' | 'over' | 'out'

/** The track of a run without sources: every instruction is a place, every frame a depth. */
export function instructionTrack({ steps, depths }: Run): Track {
  return { steps, placeOf: (step) => step + 1, depths }
}

/** The ends of a track, beyond which a move has nowhere to go. */
export interface TrackEnds {
  /** After this step there is a place further back. */
  readonly firstPlaceEnd: number
  /** Before this step there is a place further on. */
  readonly lastPlaceStart: number
}

/** Finds the ends of a track, so that a button knows whether it has a target without searching for it. */
export function trackEnds({ steps, placeOf, depths }: Track): TrackEnds {
  const isPlaced = (step: number) => placeOf(step) !== 0
  /** From a step on, the last one in a row that is at the same place. */
  function edge(from: number, direction: Direction): number {
    let at = from
    const isSame = (step: number) => placeOf(step) === placeOf(from) && depths[step] === depths[from]
    while (at + direction >= 0 && at + direction < steps && isSame(at + direction)) at += direction
    return at
  }
  let first = 0
  while (first < steps && !isPlaced(first)) first++
  if (first === steps) return { firstPlaceEnd: steps, lastPlaceStart: -1 }
  let last = steps - 1
  while (!isPlaced(last)) last--
  return { firstPlaceEnd: edge(first, 1), lastPlaceStart: edge(last, -1) }
}

/** Whether stepping in has a target. */
export function hasPlaceBeyond(
  { firstPlaceEnd, lastPlaceStart }: TrackEnds,
  from: number,
  direction: Direction,
): boolean {
  return direction === 1 ? from < lastPlaceStart : from > firstPlaceEnd
}

/**
 * The step that a move leads to; `undefined` if there is none.
 *
 * Backwards, it is the first step of the place.
 */
export function moveFrom(track: Track, from: number, move: Move, direction: Direction): number | undefined {
  const { placeOf, depths } = track
  const depth = depths[from] ?? 0
  const place = placeOf(from)
  // A step without a place stands for nothing that could be stepped over: the code that finds the called function calls it,
  // and nobody who presses "over" means the whole function.
  const over = place === 0 ? Number.POSITIVE_INFINITY : depth
  const most = { into: Number.POSITIVE_INFINITY, over, out: depth - 1 }[move]
  const next = (at: number) => nearestUpTo(depths, at, most, direction)
  // Leave the current place first, so that a loop of one statement stops at each iteration.
  let left = false
  for (let at = next(from + direction); at >= 0; at = next(at + direction)) {
    const placeHere = placeOf(at)
    if (placeHere !== place || depths[at] !== depth) left = true
    if (!left || placeHere === 0) continue
    return direction === 1 ? at : startOf(track, at)
  }
  return undefined
}

/** The first step at the place of a step, looking back past whatever was called in between. */
function startOf({ placeOf, depths }: Track, step: number): number {
  const place = placeOf(step)
  const depth = depths[step] ?? 0
  let start = step
  for (let at = nearestUpTo(depths, step - 1, depth, -1); at >= 0; at = nearestUpTo(depths, at - 1, depth, -1)) {
    if (depths[at] !== depth || placeOf(at) !== place) break
    start = at
  }
  return start
}
