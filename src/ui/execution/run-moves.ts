import type { Run } from './run.ts'

/** The place of every step in what a person reads, and how many calls deep it is. */
export interface Track {
  /** An instruction or a line; steps in a row with the same place and depth count as one. 0: unknown, never stopped at. */
  readonly placeOf: (step: number) => number
  readonly depthOf: (step: number) => number
  readonly steps: number
}

export type Direction = 1 | -1
/** `into`: the next place; `over`: the next one that is not deeper; `out`: the next one that is less deep. */
export type Move = 'into' | 'over' | 'out'

/** The track of a run without sources: every instruction is a place, every frame a depth. */
export function instructionTrack({ steps, depths }: Run): Track {
  return { steps, placeOf: (step) => step + 1, depthOf: (step) => depths[step] ?? 0 }
}

/** Which steps can go further, one place at a time. */
export interface TrackEnds {
  /** After this step there is a place further back. */
  readonly firstPlaceEnd: number
  /** Before this step there is a place further on. */
  readonly lastPlaceStart: number
}

/** Finds the first and the last place of a track, so that a button need not look for its target to know whether it has one. */
export function trackEnds({ steps, placeOf, depthOf }: Track): TrackEnds {
  const isPlaced = (step: number) => placeOf(step) !== 0
  /** From a step on, the last one in a row that is at the same place. */
  function edge(from: number, direction: Direction): number {
    let at = from
    const isSame = (step: number) => placeOf(step) === placeOf(from) && depthOf(step) === depthOf(from)
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

/** Whether stepping into leads anywhere from a step. */
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
  const { steps, placeOf, depthOf } = track
  const depth = depthOf(from)
  const place = placeOf(from)
  // The present place is left first, so that a loop of one statement stops at each turn.
  let left = false
  for (let at = from + direction; at >= 0 && at < steps; at += direction) {
    const depthHere = depthOf(at)
    if (move === 'over' && depthHere > depth) continue
    if (move === 'out' && depthHere >= depth) continue
    const placeHere = placeOf(at)
    if (placeHere !== place || depthHere !== depth) left = true
    if (!left || placeHere === 0) continue
    return direction === 1 ? at : startOf(track, at)
  }
  return undefined
}

/** The first step at the place of a step, behind whatever was called in between. */
function startOf({ placeOf, depthOf }: Track, step: number): number {
  const place = placeOf(step)
  const depth = depthOf(step)
  let start = step
  for (let at = step - 1; at >= 0; at--) {
    const depthHere = depthOf(at)
    if (depthHere > depth) continue
    if (depthHere < depth || placeOf(at) !== place) break
    start = at
  }
  return start
}
