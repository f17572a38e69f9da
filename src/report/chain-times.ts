import type { FilmMoments } from '#rpc-types/methods/devnet.ts'
import type { RecordedChain, RecordedStep, SeenPartial } from './test-record.ts'

/**
 * The moment that each partial block is, in the order in which they were seen: empty ones at a block's end are no moments, so
 * there it is the last one before it. `undefined`: it is not in the file, since the chain went back before its block. After an
 * `evm_revert` to a snapshot of the block that is still open, moments of that block may be those of its other version.
 */
function momentsSeen(runs: FilmMoments['runs'], partials: readonly SeenPartial[]): readonly (number | undefined)[] {
  const placed = placedRuns(runs)
  const seen: (number | undefined)[] = []
  let before: SeenPartial | undefined
  /** How often the block of each was taken back until then. */
  const rounds: number[] = []
  /** The newest partial block that came after something was taken back. */
  let roundBegin = 0
  for (const [i, partial] of partials.entries()) {
    const { number, index, withdrawn, transactions } = partial
    // The file remembers only what had transactions.
    const isTaken = withdrawn && transactions < (before?.transactions ?? 0)
    if (isTaken) roundBegin = i
    let round = before?.number === number ? (rounds.at(-1) ?? 0) + (isTaken ? 1 : 0) : 0
    if (before && number < before.number) {
      const stood = forgetAbandoned(seen, partials, i)
      // What was taken back of that block is remembered no longer.
      for (let j = 0; j < stood; j++) {
        if (partials[j]?.number === number && (rounds[j] ?? 0) < (rounds[stood] ?? 0)) seen[j] = undefined
      }
      for (let j = 0; j < i; j++) if (partials[j]?.number === number) rounds[j] = 0
      round = 0
      roundBegin = i
    }
    rounds.push(round)
    before = partial
    const runsOfBlock = placed.get(number)?.slice(0, round + 1)
    // What a later run does not begin with is as it was in the one before.
    const run = runsOfBlock?.findLast(({ first }) => first <= index)
    const moment = run && run.start + Math.min(index - run.first, run.length - 1)
    if (withdrawn && !isTaken) leave(seen, partials, partial, moment, roundBegin)
    seen.push(moment)
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

/** Empty partial blocks were withdrawn: they were as the one that is left. */
function leave(
  seen: (number | undefined)[],
  partials: readonly SeenPartial[],
  { number, index }: SeenPartial,
  moment: number | undefined,
  roundBegin: number,
): void {
  for (let i = seen.length - 1; i >= roundBegin; i--) {
    const partial = partials[i]
    if (partial?.number !== number || partial.index <= index) return
    seen[i] = moment
  }
}

/**
 * The chain went back to a partial block that had been there, or to another in place of it: what came between, or in its place,
 * is not in the file.
 *
 * @returns Where it had been before; -1 if it is another.
 */
function forgetAbandoned(seen: (number | undefined)[], partials: readonly SeenPartial[], back: number): number {
  const { number, index, hash } = partials[back] as SeenPartial
  // An empty partial block has the hash of the one before it.
  const isSame = (each: SeenPartial) => each.number === number && each.index === index && each.hash === hash
  const stood = partials.slice(0, back).findLastIndex(isSame)
  for (let i = stood + 1; i < back; i++) if (stood >= 0 || (partials[i]?.number ?? 0) >= number) seen[i] = undefined
  return stood
}

/** A chain's partial blocks on the line of time. */
export class ChainTimes {
  readonly #partials: readonly SeenPartial[]
  readonly #skipped: number
  /** The moment of each partial block. */
  readonly #moments: readonly (number | undefined)[]
  /** When each moment was first there; `undefined`: before the test looked, or not in its run. */
  readonly times: readonly (number | undefined)[]

  constructor(
    { runs, count }: Pick<FilmMoments, 'runs' | 'count'>,
    { partials, skipped }: Omit<RecordedChain, 'name'>,
  ) {
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

  /**
   * The newest moment when a step ended: by what had been seen, or by its time.
   *
   * @param place - The chain's, in the record.
   */
  atEndOf({ seen, tookMs }: Pick<RecordedStep, 'seen' | 'tookMs'>, endedAtMs: number, place: number): number {
    const count = tookMs < 0 ? undefined : seen[place]
    return count === undefined ? this.at(endedAtMs) : this.#afterSeen(count - this.#skipped)
  }

  /** The moment after so many partial blocks; before the first, the one that it followed. */
  #afterSeen(count: number): number {
    const seen = this.#moments.slice(0, Math.max(0, count)).findLast((moment) => moment !== undefined)
    if (seen !== undefined) return seen
    const first = this.#moments.find((moment) => moment !== undefined)
    return Math.max(0, first === undefined ? this.times.length - 1 : first - 1)
  }
}
