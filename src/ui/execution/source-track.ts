import type { StepSources } from '#solidity/steps/step-sources.ts'
import type { Run } from './run.ts'
import type { Track } from './run-moves.ts'
import { nearestUpTo } from './shallow-steps.ts'

/** A line is numbered in a track by its source times this, plus its number in the source. */
const LINES = 1 << 20

/** The track of a run by source lines. Moves do not stop at steps with an unknown place. */
export function sourceTrack({ placeOf, places, depths }: StepSources, { steps }: Run): Track {
  const lines = lineNumbers(places)
  return {
    steps,
    placeOf: (step) => lines[placeOf[step] as number] as number,
    depths,
  }
}

/** A number for the line of each place; 0 if moves do not stop there. */
function lineNumbers(places: StepSources['places']): Float64Array {
  return Float64Array.from(places, ({ source, line, isInside }) => (isInside ? source * LINES + line : 0))
}

/** Lines at which to stop, by the path of their source. */
export type LineBreakpoints = ReadonlyMap<string, ReadonlySet<number>>

/** Sets or removes a breakpoint at a line or an instruction. @param key - Its source or code. */
export function toggleBreakpoint<Key>(
  breakpoints: ReadonlyMap<Key, ReadonlySet<number>>,
  key: Key,
  at: number,
): ReadonlyMap<Key, ReadonlySet<number>> {
  const others = new Set(breakpoints.get(key))
  if (!others.delete(at)) others.add(at)
  const next = new Map(breakpoints).set(key, others)
  if (others.size === 0) next.delete(key)
  return next
}

/** The steps at which a line with a breakpoint is reached, in order. */
export function lineStops(found: StepSources, breakpoints: LineBreakpoints): readonly number[] {
  if (breakpoints.size === 0) return []
  const stopsAt = found.places.map(
    ({ source, line, isInside }) => isInside && breakpoints.get(found.sources[source]?.path ?? '')?.has(line) === true,
  )
  const lines = lineNumbers(found.places)
  const stops: number[] = []
  /** The current line of each call, by depth. */
  const standing: number[] = []
  for (let step = 0; step < found.placeOf.length; step++) {
    const place = found.placeOf[step] as number
    const line = lines[place] as number
    if (line === 0) continue
    const depth = found.depths[step] as number
    if (stopsAt[place] && standing[depth] !== line) stops.push(step)
    standing[depth] = line
    standing.length = depth + 1
  }
  return stops
}

/** Most steps to search for a place, in each direction. */
const FARTHEST = 20_000

/** The nearest step in the same frame with a known place: itself, the last before it, or else the next. */
export function placedStep({ placeOf }: StepSources, { frameOf, steps }: Run, step: number): number | undefined {
  const frame = frameOf[step]
  for (let at = step; at >= 0 && step - at < FARTHEST; at--) {
    if (frameOf[at] === frame && placeOf[at] !== 0) return at
  }
  for (let at = step + 1; at < steps && at - step < FARTHEST; at++) {
    if (frameOf[at] === frame && placeOf[at] !== 0) return at
  }
  return undefined
}

/** A call around a step: a frame, or a function in one. */
export interface ActiveCall {
  /** Current step of the call: the step itself, or that of the call inside it. */
  readonly step: number
  /** Whether it is the outermost one of its frame. */
  readonly isOutermost: boolean
}

/** The calls around a step, innermost first, up to a limit. */
export function activeCalls(found: StepSources, run: Run, step: number, most: number): readonly ActiveCall[] {
  const { depths } = found
  const calls: ActiveCall[] = []
  let current = step
  let depth = depths[step] as number
  const outside = (at: number) => nearestUpTo(depths, at - 1, depth - 1, -1)
  for (let at = outside(step); at >= 0 && calls.length <= most; at = outside(at)) {
    calls.push({ step: current, isOutermost: run.frameOf[at] !== run.frameOf[current] })
    current = at
    depth = depths[at] as number
  }
  calls.push({ step: current, isOutermost: true })
  return withoutEntries(found, calls).slice(0, most)
}

/** Drops the code that jumps to a frame's function and has no line of its own: the function is then the outermost call. */
function withoutEntries({ placeOf, places }: StepSources, calls: readonly ActiveCall[]): readonly ActiveCall[] {
  const isEntry = ({ step, isOutermost }: ActiveCall) =>
    isOutermost && places[placeOf[step] as number]?.isInside !== true
  return calls.flatMap((call, i) => {
    const inside = calls[i - 1]
    const outside = calls[i + 1]
    if (inside && !inside.isOutermost && isEntry(call)) return []
    const takesPlace = outside !== undefined && !call.isOutermost && isEntry(outside)
    return { ...call, isOutermost: call.isOutermost || takesPlace }
  })
}
