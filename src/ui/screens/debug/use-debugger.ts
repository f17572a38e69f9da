import {
  type Dispatch,
  type SetStateAction,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Hash } from '#primitives/hex.ts'
import type { StepSources } from '#solidity/steps/step-sources.ts'
import { callSite, frameAt, type Run } from '#ui/execution/run.ts'
import { findMarks, type MarkKind, type Marks, nextMark } from '#ui/execution/run-marks.ts'
import {
  type Direction,
  hasPlaceBeyond,
  instructionTrack,
  type Move,
  moveFrom,
  trackEnds,
} from '#ui/execution/run-moves.ts'
import { type LineBreakpoints, lineStops, sourceTrack } from '#ui/execution/source-track.ts'
import { type FullStep, StepWindows } from '#ui/execution/step-windows.ts'
import type { Subject } from '#ui/execution/subject.ts'
import { STEP_PARAMETER, useWithSetup } from '#ui/page/navigation.ts'
import { useProvider } from '#ui/page/session.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { fetchSteps, subjectKey } from '#ui/queries/executions.ts'

/** Milliseconds without a move after which the address gets the step; browsers refuse many changes in a row. */
const ADDRESS_AFTER_MS = 300

/** The current step, the state before it, and the moves to other steps. */
export interface Debugger {
  readonly run: Run
  readonly windows: StepWindows
  /** The current step, from 0. */
  readonly at: number
  /** The current step in full; `undefined` until the node has answered. */
  readonly step: FullStep | undefined
  readonly stepError: unknown
  readonly retry: () => void
  readonly marks: Marks
  readonly breakpoints: Breakpoints
  /** The steps at breakpoints, in order. */
  readonly stops: Uint32Array
  readonly setBreakpoints: Dispatch<SetStateAction<Breakpoints>>
  /** Breakpoints at lines of sources. */
  readonly lines: LineBreakpoints
  readonly setLines: (lines: LineBreakpoints) => void
  /** Like `move`, the same function at each render, so that what a step does not change need not be drawn again. */
  readonly go: (step: number) => void
  /** Whether a move leads anywhere. Every button asks at every step, so it must be found without a search. */
  readonly canMove: (move: Movement) => boolean
  readonly move: (move: Movement) => void
}

/** How a person moves: by lines or instructions, to the next step of a kind, or to an end of the run. */
export type Movement =
  | { readonly how: Move; readonly direction: Direction }
  | { readonly to: MarkKind | 'breakpoint'; readonly direction: Direction }
  | { readonly to: 'end'; readonly direction: Direction }

/**
 * @param found - What the sources say of the run; `undefined` until it is known.
 * @param bySource - Whether steps go from line to line, where the source is known, or from instruction to instruction.
 */
export function useDebugger(run: Run, subject: Subject, found: StepSources | undefined, bySource: boolean): Debugger {
  const provider = useProvider()
  const [asked, setAt] = useAddressStep(run.steps)
  const [breakpoints, setBreakpoints] = useState<Breakpoints>(NO_BREAKPOINTS)
  const marks = useMemo(() => findMarks(run), [run])
  const [lines, setLines] = useState<LineBreakpoints>(NO_LINES)
  const track = useMemo(
    () => (found && bySource ? sourceTrack(found, run) : instructionTrack(run)),
    [run, found, bySource],
  )
  const ends = useMemo(() => trackEnds(track), [track])
  // What runs before the first line is only the compiler's own: finding the function, checking its arguments.
  const firstLine = useMemo(
    () => (found && bySource ? moveFrom(track, 0, 'into', 1) : undefined),
    [track, found, bySource],
  )
  const at = asked ?? firstLine ?? 0
  const stops = useMemo(() => {
    const atLines = found ? lineStops(found, lines) : []
    return Uint32Array.from(new Set([...breakpointSteps(run, breakpoints), ...atLines])).sort()
  }, [run, found, breakpoints, lines])
  const key = subjectKey(subject)
  const windows = useMemo(
    () => new StepWindows((first, count) => fetchSteps(provider, subject, first, count), run),
    // The subject is another object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [provider, key, run],
  )
  useSyncExternalStore(windows.subscribe, windows.version)
  useEffect(() => windows.want(at), [windows, at])

  function target(movement: Movement): number | undefined {
    const { direction } = movement
    if ('how' in movement) return moveFrom(track, at, movement.how, direction) ?? endOf(movement.how, direction)
    if (movement.to === 'end') return direction === 1 ? run.steps - 1 : 0
    return nextMark(movement.to === 'breakpoint' ? stops : marks[movement.to], at, direction)
  }
  /** Out of the first frame leads to its end, and back out of it to its beginning. */
  function endOf(how: Move, direction: Direction): number | undefined {
    if (how === 'into') return undefined
    return direction === 1 ? run.steps - 1 : (callSite(frameAt(run, at)) ?? 0)
  }
  const latest = useRef(target)
  useLayoutEffect(() => {
    latest.current = target
  })
  const move = useCallback(
    (movement: Movement) => {
      const to = latest.current(movement)
      if (to !== undefined) setAt(to)
    },
    [setAt],
  )
  return {
    run,
    windows,
    at,
    step: windows.get(at),
    stepError: windows.errorAt(at),
    retry: () => windows.retry(at),
    marks,
    stops,
    breakpoints,
    setBreakpoints,
    lines,
    setLines,
    go: setAt,
    canMove(movement) {
      const { direction } = movement
      if ('how' in movement && movement.how === 'into') return hasPlaceBeyond(ends, at, direction)
      // Over, out and to the end lead at least to the run's own end.
      if ('how' in movement || movement.to === 'end') return at !== (direction === 1 ? run.steps - 1 : 0)
      return target(movement) !== undefined
    },
    move,
  }
}

const NO_BREAKPOINTS: Breakpoints = new Map()
const NO_LINES: LineBreakpoints = new Map()

/** The step, which the address gets a moment after each move; `undefined` until one is asked for. */
function useAddressStep(steps: number): [number | undefined, (step: number) => void] {
  const [path, navigate] = useLocation()
  const text = new URLSearchParams(useSearch()).get(STEP_PARAMETER)
  const withSetup = useEffectEvent(useWithSetup())
  const asked = text !== null && /^\d{1,9}$/.test(text) ? Math.min(steps - 1, Number(text)) : undefined
  const [{ at, from }, setState] = useState({ at: asked, from: asked })
  // A link or the browser's Back button leads to another step.
  if (asked !== from) setState({ at: asked === undefined ? at : asked, from: asked })
  useEffect(() => {
    if (at === undefined || at === asked) return undefined
    const timer = setTimeout(
      () => navigate(withSetup(`${path}?${STEP_PARAMETER}=${at}`), { replace: true }),
      ADDRESS_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [at, asked, path, navigate])
  const set = useCallback(
    (step: number) => setState(({ from: seen }) => ({ at: Math.max(0, Math.min(steps - 1, step)), from: seen })),
    [steps],
  )
  return [at, set]
}

/** Keys of the debugger; with Shift each leads backwards. */
export const DEBUGGER_KEYS: readonly (readonly [key: string, movement: Movement])[] = [
  ['n', { how: 'over', direction: 1 }],
  ['i', { how: 'into', direction: 1 }],
  ['o', { how: 'out', direction: 1 }],
  ['l', { to: 'log', direction: 1 }],
  ['w', { to: 'write', direction: 1 }],
  ['c', { to: 'call', direction: 1 }],
  ['r', { to: 'revert', direction: 1 }],
  ['b', { to: 'breakpoint', direction: 1 }],
]

/** Binds a key of the debugger, and with Shift the same backwards. */
export function useMovementKeys(key: string, movement: Movement, move: Debugger['move']): void {
  useShortcut(key, () => move(movement), 'repeats')
  useShortcut(key.toUpperCase(), () => move({ ...movement, direction: -1 }), 'repeats')
}

/** Offsets of instructions at which to stop, by the hash of their code. */
type Breakpoints = ReadonlyMap<Hash, ReadonlySet<number>>

/** The steps that stand at a breakpoint, in order. */
function breakpointSteps({ steps, pcs, frames, frameOf }: Run, breakpoints: Breakpoints): Uint32Array {
  if (breakpoints.size === 0) return new Uint32Array()
  const stops = frames.map(({ code }) => (code === null ? undefined : breakpoints.get(code)))
  const found: number[] = []
  for (let step = 0; step < steps; step++) {
    if (stops[frameOf[step] as number]?.has(pcs[step] as number)) found.push(step)
  }
  return Uint32Array.from(found)
}
