import type { StepSources } from '#solidity/steps/step-sources.ts'
import type { Run } from './run.ts'
import type { Track } from './run-moves.ts'

/** A line's number in a track is its source times this, plus its number in the source. */
const LINES = 1 << 20

/** The track of a run by lines of its sources. It does not stop at steps whose place is not known. */
export function sourceTrack({ placeOf, places, depths }: StepSources, { steps }: Run): Track {
  const lines = lineNumbers(places)
  return {
    steps,
    placeOf: (step) => lines[placeOf[step] as number] as number,
    depthOf: (step) => depths[step] as number,
  }
}

/** A number for the line of each place; 0 where one does not stop. */
function lineNumbers(places: StepSources['places']): Float64Array {
  return Float64Array.from(places, ({ source, line, isInside }) => (isInside ? source * LINES + line : 0))
}

/** Lines at which to stop, by the path of their source. */
export type LineBreakpoints = ReadonlyMap<string, ReadonlySet<number>>

/** Sets a breakpoint at a line or an instruction, or takes it away. @param key - The source or code that it is in. */
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
  /** The line that each call stands at, by its depth. */
  const standing: number[] = []
  for (const [step, place] of found.placeOf.entries()) {
    const line = lines[place] as number
    if (line === 0) continue
    const depth = found.depths[step] as number
    if (stopsAt[place] && standing[depth] !== line) stops.push(step)
    standing[depth] = line
    standing.length = depth + 1
  }
  return stops
}

/** Steps that are searched for a place in each direction. */
const FARTHEST = 20_000

/** The step nearest to a step, in the same frame, whose place is known: itself, the newest before it, or the next. */
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

/** A call that a step is in: a frame, or a function in one. */
export interface ActiveCall {
  /** Where it stands: the present step, or the step of the call inside it. */
  readonly step: number
  /** Whether it is the outermost of its frame. */
  readonly isOutermost: boolean
}

/** The calls that a step is in, innermost first, at most so many. */
export function activeCalls(found: StepSources, run: Run, step: number, most: number): readonly ActiveCall[] {
  const { depths } = found
  const calls: ActiveCall[] = []
  let current = step
  let depth = depths[step] as number
  for (let at = step - 1; at >= 0 && calls.length <= most; at--) {
    if ((depths[at] as number) >= depth) continue
    calls.push({ step: current, isOutermost: run.frameOf[at] !== run.frameOf[current] })
    current = at
    depth = depths[at] as number
  }
  calls.push({ step: current, isOutermost: true })
  return withoutEntries(found, calls).slice(0, most)
}

/** Without what jumps to a frame's function, which stands in no line of it: the function is then the outermost. */
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
