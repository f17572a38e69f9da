import type { RecordedStep, SeenPartial, TestRecord } from '#report/test-record.ts'
import type { FilmMoments } from '#rpc-types/methods/devnet.ts'

/** A span of time, in milliseconds since the Unix epoch. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** A step with how deep it lies in others. */
export interface PlacedStep {
  readonly step: RecordedStep
  readonly depth: number
  /** When it ended, or the record did. */
  readonly endedAtMs: number
}

/**
 * When each moment of a film was first there: each partial block that was seen is a moment, or the last one before it of its
 * block, since empty ones at a block's end are no moments. `undefined`: before the test looked.
 */
export function timesOfMoments(
  { runs, count }: Pick<FilmMoments, 'runs' | 'count'>,
  partials: readonly SeenPartial[],
): readonly (number | undefined)[] {
  const times: (number | undefined)[] = Array.from({ length: count }, () => undefined)
  const placed = placedRuns(runs)
  let before: SeenPartial | undefined
  /** How often the block that is open has been taken back. */
  let round = 0
  for (const seen of partials) {
    if (before?.number !== seen.number) round = 0
    else if (seen.index <= before.index) round++
    // The chain went back to an earlier block: what was there is not in the file.
    if (before && seen.number < before.number) forgetFrom(times, placed, seen.number)
    before = seen
    const ofBlock = placed.get(seen.number)
    const run = ofBlock?.[Math.min(round, ofBlock.length - 1)]
    if (!run || seen.index < run.first) continue
    const moment = run.start + Math.min(seen.index - run.first, run.length - 1)
    times[moment] ??= seen.atMs
  }
  return times
}

interface PlacedRun {
  /** The moment of its first partial block. */
  readonly start: number
  readonly first: number
  readonly length: number
}

function placedRuns(runs: FilmMoments['runs']): ReadonlyMap<number, readonly PlacedRun[]> {
  const placed = new Map<number, PlacedRun[]>()
  let start = 0
  for (const { number, first, transactions } of runs) {
    const block = Number(number)
    const ofBlock = placed.get(block) ?? []
    ofBlock.push({ start, first, length: transactions.length })
    placed.set(block, ofBlock)
    start += transactions.length
  }
  return placed
}

function forgetFrom(
  times: (number | undefined)[],
  placed: ReadonlyMap<number, readonly PlacedRun[]>,
  block: number,
): void {
  for (const [number, runs] of placed) {
    if (number < block) continue
    for (const { start, length } of runs) times.fill(undefined, start, start + length)
  }
}

/** The newest moment at a time: the last one that was there, or the last one before the test looked. */
export function momentAt(times: readonly (number | undefined)[], atMs: number): number {
  const newest = times.findLastIndex((time) => time !== undefined && time <= atMs)
  if (newest >= 0) return newest
  const first = times.findIndex((time) => time !== undefined)
  return Math.max(0, first < 0 ? times.length - 1 : first - 1)
}

/** All of the time that a record tells of. */
export function spanOf({ startedAtMs, tookMs, steps, chains, pictures }: TestRecord): TimeSpan {
  const ends = [
    startedAtMs + Math.max(0, tookMs),
    ...steps.map((step) => step.startedAtMs + Math.max(0, step.tookMs)),
    ...chains.flatMap(({ partials }) => partials.slice(-1).map(({ atMs }) => atMs)),
    ...pictures.slice(-1).map(({ atMs }) => atMs),
  ]
  return { from: startedAtMs, to: Math.max(startedAtMs + 1, ...ends) }
}

/** The steps in order, without what belongs to Playwright's own hooks and fixtures, unless it failed. */
export function placeSteps(steps: readonly RecordedStep[], end: number): readonly PlacedStep[] {
  const placed: PlacedStep[] = []
  const place = (some: readonly RecordedStep[], depth: number, isOwn: boolean) => {
    for (const step of some) {
      if (!isOwn && !hasFailed(step)) continue
      const endedAtMs = step.tookMs < 0 ? end : step.startedAtMs + step.tookMs
      placed.push({ step, depth, endedAtMs })
      place(step.steps, depth + 1, isOwn && step.category !== 'hook' && step.category !== 'fixture')
    }
  }
  place(steps, 0, true)
  return placed
}

function hasFailed({ error, steps }: RecordedStep): boolean {
  return error !== '' || steps.some(hasFailed)
}

/** The step to begin with: the innermost of the first that failed, or the last of all. */
export function firstFailed(steps: readonly PlacedStep[]): number {
  const failed = steps.findIndex(({ step }) => step.error !== '' && !step.steps.some(hasFailed))
  return failed >= 0 ? failed : steps.length - 1
}

/** The newest step that has begun at a time; -1 if none has. */
export function stepAt(steps: readonly PlacedStep[], atMs: number): number {
  return steps.findLastIndex(({ step }) => step.startedAtMs <= atMs)
}
