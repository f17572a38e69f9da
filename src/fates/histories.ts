import { FAULT_NAMES, type Fault, type FaultName, factsOf, formatFate, requireKind, type Schedule } from './fault.ts'
import type { FateChain } from './played-chain.ts'
import { MAX_ACTS, type Recording } from './recording.ts'
import { type Course, type CourseStep, findTransactions, type ReplayedChain, replay } from './replay.ts'

export interface HistoriesOptions {
  /** Most faults of a schedule; default 2. */
  readonly depth?: number
  /** Most histories; default 200. */
  readonly most?: number
  /** How long to look for them, in milliseconds; default 60,000. */
  readonly withinMs?: number
  /** Default: all kinds; those of events only if the recording's dapp listens. */
  readonly kinds?: readonly FaultName[]
  /** An `AbortSignal` that ends the search, which then rejects with its reason. */
  readonly signal?: { throwIfAborted(): void }
  /** Called after each play: how many there were, and how many histories were found so far. */
  readonly onPlayed?: (played: number, found: number) => void
}

/** What a client can see, and the schedules behind it. */
export interface FoundHistory {
  /** The smallest fate that makes it: with the fewest faults, then the earliest. */
  readonly fate: Schedule
  /** How many schedules make it. */
  readonly schedules: number
  /** What a client sees, in order, as a probe writes it. */
  readonly seen: readonly string[]
}

export interface FoundHistories {
  /** By the number of faults, then by their moments; the first is that without faults. */
  readonly histories: readonly FoundHistory[]
  /** How many schedules there are behind them. */
  readonly schedules: number
  /** How many of them were played. */
  readonly played: number
  /** What was left out, and why, in words; empty if nothing was. */
  readonly leftOut: readonly string[]
  readonly ms: number
}

/** Most faults of a schedule that is enumerated. */
const MAX_DEPTH = 4
/** Most schedules that are played. */
const MAX_PLAYS = 20_000
/** A course, and how many schedules go so. */
interface Branch {
  readonly course: Course
  readonly weight: number
}

/** A fault that may be added to a schedule, and for how many moments it stands. */
interface Candidate {
  readonly fault: Fault
  readonly weight: number
}

/**
 * Finds the different histories that schedules of faults make of what a dapp did. A history is what a client sees, in order,
 * whatever the hashes and times: the stages of the transactions, and what was odd about calls and events. Of the moments between
 * which a client sees nothing new, the first and the last stand for the others. What follows a moment is played once for
 * all schedules that leave the chains alike there.
 *
 * @param recording - What was done to the chains while the dapp was used without faults.
 * @throws {TypeError | RangeError} If an option is out of its range, or the recording was cut.
 */
export async function findHistories(
  chains: readonly ReplayedChain[],
  recording: Recording,
  { depth = 2, most = 200, withinMs = 60_000, kinds = kindsFor(recording), signal, onPlayed }: HistoriesOptions = {},
): Promise<FoundHistories> {
  if (!Number.isInteger(depth) || depth < 0 || depth > MAX_DEPTH) {
    throw new RangeError(`depth is 0 to ${MAX_DEPTH} faults, not ${depth}`)
  }
  if (!Number.isInteger(most) || most < 1) throw new RangeError(`most is a number of histories from 1 on, not ${most}`)
  if (!(withinMs > 0)) throw new RangeError(`withinMs is above 0 milliseconds, not ${withinMs}`)
  for (const kind of kinds) requireKind(kind)
  if (recording.isCut) {
    throw new RangeError(`a recording has at most ${MAX_ACTS} ticks and calls: use the dapp for a shorter time`)
  }
  const startedMs = Date.now()
  const watched = await findTransactions(chains, recording)
  const found = new Map<string, { fate: Schedule; schedules: number; seen: readonly string[] }>()
  /** Numbers in place of texts that say where chains stand: most plays stand where others did. */
  const standings = new Map<string, string>()
  /** How plays went on, by where they stood and the faults that came then. */
  const known = new Map<string, Course>()
  let schedules = 0
  let played = 0
  let leftOut = 0
  let why = ''

  function add({ course, weight }: Branch): void {
    const seen = historyOf(course)
    const key = seen.join(' ')
    const same = found.get(key)
    if (same) same.schedules += weight
    else found.set(key, { fate: course.schedule, schedules: weight, seen })
    schedules += weight
  }

  async function play(schedule: Schedule): Promise<Course> {
    signal?.throwIfAborted()
    onPlayed?.(++played, found.size)
    const course = await replay(chains, recording, schedule, watched)
    const steps = course.steps.map((step) => {
      const number = standings.get(step.standing) ?? `${standings.size}`
      standings.set(step.standing, number)
      return { ...step, standing: number }
    })
    return { ...course, steps }
  }

  /** How a schedule goes: played, or put together of plays that stood where it stands. */
  async function follow(schedule: Schedule, parents: readonly Course[]): Promise<Course> {
    const at = schedule.at(-1)?.at ?? 0
    const isTick = schedule.length > 0 && factsOf(schedule.at(-1)?.kind ?? 'lose').moment === 'tick'
    const earlier = schedule.filter((fault) => factsOf(fault.kind).moment === 'send' || fault.at < at)
    const before = parents.find((parent) => parent.schedule.length === earlier.length)
    const standing = isTick ? before?.steps[at - 1]?.standing : undefined
    if (!before || standing === undefined) return play(schedule)
    const key = JSON.stringify([at, standing, formatFate(schedule.slice(earlier.length))])
    const same = known.get(key)
    if (same) return { ...same, schedule, steps: [...before.steps.slice(0, at), ...same.steps.slice(at)] }
    const course = await play(schedule)
    known.set(key, course)
    return course
  }

  const bare = await follow([], [])
  add({ course: bare, weight: 1 })
  let level: readonly { readonly branch: Branch; readonly parents: readonly Course[] }[] = [
    { branch: { course: bare, weight: 1 }, parents: [] },
  ]
  for (let faults = 1; faults <= depth; faults++) {
    const next: (typeof level)[number][] = []
    for (const { branch, parents } of level) {
      const family = [branch.course, ...parents]
      for (const { fault, weight } of candidates(branch.course, chains, kinds)) {
        const stands = branch.weight * weight
        if (!findsAnything(fault, branch.course, chains)) {
          add({ course: branch.course, weight: stands })
          continue
        }
        why ||= Date.now() - startedMs > withinMs ? `${withinMs} ms were over` : ''
        why ||= played >= MAX_PLAYS ? `${MAX_PLAYS} were played` : ''
        if (why !== '') {
          leftOut += stands
          continue
        }
        const made = { course: await follow([...branch.course.schedule, fault], family), weight: stands }
        add(made)
        // What follows is as without the fault.
        if (!isSame(made.course, branch.course)) next.push({ branch: made, parents: family })
      }
    }
    level = next
  }
  for (const chain of chains) await chain.startOver()
  const histories = [...found.values()]
  const notes = leftOut > 0 ? [`${leftOut} schedules, and those with more faults: ${why}`] : []
  if (histories.length > most) notes.push(`${histories.length - most} histories: more than ${most} were found`)
  return { histories: histories.slice(0, most), schedules, played, leftOut: notes, ms: Date.now() - startedMs }
}

/** Whether two courses are the same to a client, now and with more faults. */
function isSame(one: Course, other: Course): boolean {
  const isSameStep = (step: CourseStep, at: number) => {
    const { stages = [], oddities = [], standing } = other.steps[at] ?? {}
    return (
      step.standing === standing && step.stages.join() === stages.join() && step.oddities.join() === oddities.join()
    )
  }
  return !one.effect || (one.steps.length === other.steps.length && one.steps.every(isSameStep))
}

/** Whether a fault finds anything to act on where a course stands at its moment; if that is not known, yes. */
function findsAnything({ kind, at, chain = '' }: Fault, { steps }: Course, chains: readonly FateChain[]): boolean {
  const ground = steps[at]?.ground.get(chain === '' ? (chains[0]?.name ?? '') : chain)
  if (!ground) return true
  const { pooled, waiting, preconfirmed, sealed } = ground
  if (kind === 'withdraw') return preconfirmed
  if (kind === 'late') return waiting
  if (kind === 'reorg') return sealed
  return (kind !== 'lose' && kind !== 'replace') || pooled || preconfirmed || sealed
}

/** What a client sees: stages in order, without repetitions, then what was odd. */
function historyOf({ steps }: Course): readonly string[] {
  const stages = steps.flatMap((step) => step.stages).filter((stage, index, all) => stage !== all[index - 1])
  return [...stages, ...new Set(steps.flatMap((step) => step.oddities).sort())]
}

/**
 * What a client sees under one schedule, in order.
 *
 * @param recording - As for {@link findHistories}.
 */
export async function seenUnder(
  chains: readonly ReplayedChain[],
  recording: Recording,
  schedule: Schedule,
): Promise<readonly string[]> {
  return historyOf(await replay(chains, recording, schedule, await findTransactions(chains, recording)))
}

/** Events are of no matter to a dapp that listens to none. */
function kindsFor({ listens }: Recording): readonly FaultName[] {
  return FAULT_NAMES.filter((kind) => listens || factsOf(kind).on !== 'events')
}

/** The faults that may follow those of a schedule. */
function* candidates(
  { schedule, steps, sends }: Course,
  chains: readonly FateChain[],
  kinds: readonly FaultName[],
): Iterable<Candidate> {
  const last = schedule.at(-1)
  const lastTick = last && factsOf(last.kind).moment === 'tick' ? last.at : undefined
  for (const [index, { name }] of chains.entries()) {
    const chain = chains.length > 1 ? { chain: name } : {}
    if (lastTick !== undefined) break
    for (let send = 1; send <= (sends.get(name) ?? 0); send++) {
      // One fault for each send, in the order of chains and sends.
      const lastIndex = chains.findIndex((each) => each.name === last?.chain)
      if (last && (index < lastIndex || (index === Math.max(0, lastIndex) && send <= last.at))) continue
      for (const kind of kinds) {
        if (factsOf(kind).moment === 'send') yield { fault: { kind, at: send, ...chain }, weight: 1 }
      }
    }
  }
  for (const { at, weight } of momentsOf(steps)) {
    for (const { name } of chains) {
      const chain = chains.length > 1 ? { chain: name } : {}
      for (const kind of kinds) {
        const { moment, from } = factsOf(kind)
        if (moment !== 'tick' || at < from || (lastTick !== undefined && at < lastTick)) continue
        const fault = { kind, at, ...chain }
        if (!schedule.some((each) => isBeforeOrSame(fault, each))) yield { fault, weight }
      }
    }
  }
}

/**
 * Whether a fault is another one of the same moment, or stands before it: the order matters only between faults that change
 * a chain.
 */
function isBeforeOrSame(fault: Fault, other: Fault): boolean {
  if (factsOf(other.kind).moment === 'send' || fault.at !== other.at) return false
  if (fault.kind === other.kind) return fault.chain === other.chain
  const bothChange = factsOf(fault.kind).on === 'chain' && factsOf(other.kind).on === 'chain'
  return !bothChange && FAULT_NAMES.indexOf(fault.kind) < FAULT_NAMES.indexOf(other.kind)
}

/** The moments that matter: before and after what a client sees for the first time. */
function momentsOf(steps: readonly CourseStep[]): readonly { readonly at: number; readonly weight: number }[] {
  const changes = steps.flatMap(({ stages }, at) => (stages.length > 0 ? [at] : []))
  const set = new Set([0, ...changes.flatMap((tick) => [tick - 1, tick, tick + 1])])
  const moments = [...set].filter((at) => at >= 0).sort((one, other) => one - other)
  return moments.map((at, index) => ({ at, weight: (moments[index + 1] ?? at + 1) - at }))
}
