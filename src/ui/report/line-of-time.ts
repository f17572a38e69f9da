import type { RecordedChain, RecordedStep, SeenPartial, TestRecord } from '#report/test-record.ts'
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
 * The moment that each partial block is, in the order in which they were seen: empty ones at a block's end are no moments, so
 * there it is the last one before it. `undefined`: it is not in the file, since the chain went back before its block.
 */
export function momentsSeen(
  runs: FilmMoments['runs'],
  partials: readonly SeenPartial[],
): readonly (number | undefined)[] {
  const placed = placedRuns(runs)
  const seen: (number | undefined)[] = []
  let before: SeenPartial | undefined
  /** How often the block that is open has been taken back. */
  let round = 0
  for (const partial of partials) {
    if (before?.number !== partial.number) round = 0
    else if (partial.index <= before.index) round++
    if (before && partial.number < before.number) forgetFrom(seen, partials, partial.number)
    before = partial
    const ofBlock = placed.get(partial.number)
    const run = ofBlock?.[Math.min(round, ofBlock.length - 1)]
    if (!run || partial.index < run.first) seen.push(undefined)
    else seen.push(run.start + Math.min(partial.index - run.first, run.length - 1))
  }
  return seen
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

function forgetFrom(seen: (number | undefined)[], partials: readonly SeenPartial[], block: number): void {
  for (let i = 0; i < seen.length; i++) if ((partials[i]?.number ?? 0) >= block) seen[i] = undefined
}

/** A chain's partial blocks on the line of time. */
export class ChainTimes {
  readonly #partials: readonly SeenPartial[]
  readonly #skipped: number
  /** The moment of each partial block. */
  readonly #moments: readonly (number | undefined)[]
  /** When each moment was first there; `undefined`: before the test looked, or not in its run. */
  readonly times: readonly (number | undefined)[]

  constructor({ runs, count }: Pick<FilmMoments, 'runs' | 'count'>, { partials, skipped }: Omit<RecordedChain, 'name'>) {
    this.#partials = partials
    this.#skipped = skipped
    this.#moments = momentsSeen(runs, partials)
    const times: (number | undefined)[] = Array.from({ length: count }, () => undefined)
    for (const [i, moment] of this.#moments.entries()) if (moment !== undefined) times[moment] ??= partials[i]?.atMs
    this.times = times
  }

  /** The newest moment at a time. */
  at(atMs: number): number {
    return this.#afterSeen(this.#partials.findLastIndex((partial) => partial.atMs <= atMs) + 1)
  }

  /** The newest moment when a step ended: by what had been seen, or by its time. */
  atEndOf({ step, endedAtMs }: PlacedStep, place: number): number {
    const seen = step.tookMs < 0 ? undefined : step.seen[place]
    return seen === undefined ? this.at(endedAtMs) : this.#afterSeen(seen - this.#skipped)
  }

  /** The moment after so many partial blocks; before the first, the one that it followed. */
  #afterSeen(count: number): number {
    const seen = this.#moments.slice(0, Math.max(0, count)).findLast((moment) => moment !== undefined)
    if (seen !== undefined) return seen
    const first = this.#moments.find((moment) => moment !== undefined)
    return Math.max(0, first === undefined ? this.times.length - 1 : first - 1)
  }
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
