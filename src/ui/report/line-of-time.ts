import type { RecordedStep, TestRecord } from '#report/test-record.ts'

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
      if ((!isOwn || step.category === 'fixture') && !hasFailed(step)) continue
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
