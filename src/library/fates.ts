import { setTimeout as delay, setImmediate as nextRound } from 'node:timers/promises'
import { type BlinknetProvider, createProvider, extendProvider } from '#client/session/provider.ts'
import { countFor } from '#coverage/process-counts.ts'
import { describePlay } from '#fates/describe-play.ts'
import { describeFate, type FaultName, formatFate, parseFate, type Schedule } from '#fates/fault.ts'
import { type FoundHistories, findHistories } from '#fates/histories.ts'
import { type Calls, type Play, playFate } from '#fates/play.ts'
import type { Recording } from '#fates/recording.ts'
import type { ReplayedChain } from '#fates/replay.ts'
import { shrinkFate } from '#fates/shrink.ts'
import { ask } from '#rpc-types/ask.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'
import { type Chain, type ChainOptions, type OpenChain, openChain, viewChain } from './chain.ts'

/** The chain itself, which no fault meets. */
export interface FatedChain extends Chain {
  /**
   * Ticks on all chains until no fault is to come, nothing waits and no answer is held, for a few blocks at most. Then every
   * fault that lasts has ended.
   */
  settle(): Promise<void>
}

/** A chain, and the way on which a dapp meets the fate. */
export interface FatedPair {
  readonly chain: FatedChain
  readonly provider: BlinknetProvider
}

/** What a run is given. */
export interface FatesRun extends FatedPair {
  /** All chains by their names; the first one is `chain`. */
  readonly chains: Readonly<Record<string, FatedPair>>
  /** The fate of this run, such as `withdraw@2`; empty without faults. */
  readonly fate: string
}

export interface FatesOptions {
  /** Most faults of a fate, 0 to 4; default 2. */
  readonly depth?: number
  readonly chain?: ChainOptions
  /** Several chains by their names, each with what `chain` says unless it says otherwise itself. */
  readonly chains?: Readonly<Record<string, ChainOptions>>
  /** Runs under this fate alone. */
  readonly fate?: string
  /** Kinds of faults; default all, those of events only if the dapp subscribes to any. */
  readonly kinds?: readonly FaultName[]
  /** Most histories; default 200. */
  readonly most?: number
  /** How long to look for histories, in milliseconds; default 60,000. */
  readonly withinMs?: number
  /** How long one run may take, in milliseconds; default 30,000. */
  readonly runMs?: number
}

/** How all runs went. */
export interface FatesSummary extends Pick<FoundHistories, 'schedules' | 'leftOut'> {
  /** How many histories were run, that without faults among them. */
  readonly histories: number
  readonly ms: number
}

/** A dapp that fails under a fate. */
export class FateError extends Error {
  override readonly name = 'FateError'
  /** Run it alone: `fates({ fate })`. */
  readonly fate: string

  constructor(fate: string, message: string, options: ErrorOptions) {
    super(message, options)
    this.fate = fate
  }
}

type Body = (run: FatesRun) => unknown

const ONLY_CHAIN = 'chain'
const MAX_CHAINS = 16
const RUN_MS = 30_000
/** The longest delay that a timer has. */
const MAX_RUN_MS = 2 ** 31 - 1
/** The longest wait for a dapp that never stops calling, in milliseconds. */
const MOST_SETTLING_MS = 1_000
/** How many rounds of Node.js's loop without a call make a dapp quiet. */
const QUIET_ROUNDS = 4
/** While an answer is held and nobody ticks, a tick comes by itself each so many milliseconds. */
const HELD_MS = 20

/**
 * Runs a test of a dapp without faults, then once under each history that schedules of faults can make of it.
 *
 * @throws What the test throws, without faults.
 * @throws {FateError} The smallest fate under which the test fails, with what happened and the test's error as its cause.
 * @throws {TypeError | RangeError} If an option makes no sense.
 */
export async function fates(options: FatesOptions, body: Body): Promise<FatesSummary> {
  if (typeof body !== 'function') throw new TypeError('fates takes options and a function that uses the dapp')
  const startedMs = performance.now()
  const { depth, kinds, most, withinMs, fate, runMs = RUN_MS } = options
  if (!Number.isInteger(runMs) || runMs < 1 || runMs > MAX_RUN_MS) {
    throw new RangeError(`runMs is 1 to ${MAX_RUN_MS} milliseconds, not ${runMs}`)
  }
  const only = fate === undefined ? undefined : parseFate(fate)
  const chains = await openAll(options)
  const run = (schedule: Schedule) => runOnce(chains, schedule, body, runMs)
  try {
    if (only) {
      const outcome = await run(only)
      if (outcome.failed) throw toFateError(only, outcome)
      return { histories: 1, schedules: 1, leftOut: [], ms: performance.now() - startedMs }
    }
    const bare = await run([])
    if (bare.failed) throw bare.error
    countFor(undefined)
    const found = await findHistories(chains, bare.recording, {
      ...(depth !== undefined && { depth }),
      ...(kinds !== undefined && { kinds }),
      ...(most !== undefined && { most }),
      ...(withinMs !== undefined && { withinMs }),
    })
    for (const history of found.histories) {
      if (history.fate.length === 0) continue
      const outcome = await run(history.fate)
      if (outcome.failed) throw await shrunkError(history.fate, outcome, run)
    }
    const { histories, schedules, leftOut } = found
    return { histories: histories.length, schedules, leftOut, ms: performance.now() - startedMs }
  } finally {
    countFor('')
    for (const { open } of chains) await open.close()
  }
}

interface FateableChain extends ReplayedChain {
  readonly open: OpenChain
}

async function openAll({ chain = {}, chains }: FatesOptions): Promise<readonly FateableChain[]> {
  const named = Object.entries(chains ?? { [ONLY_CHAIN]: {} })
  if (named.length === 0 || named.length > MAX_CHAINS) {
    throw new RangeError(`fates takes 1 to ${MAX_CHAINS} chains, not ${named.length}`)
  }
  const opened: FateableChain[] = []
  const ids = new Map<unknown, string>()
  try {
    for (const [name, own] of named) {
      const open = await openChain({ clock: 'manual', ...chain, ...own })
      const { node } = open
      opened.push({ name, node, open, startOver: () => startOver(name, node, snapshot) })
      await standStill(node)
      const id = await ask(node, 'eth_chainId')
      const twin = ids.get(id)
      if (twin !== undefined) throw new TypeError(`the chains ${twin} and ${name} have the same id, ${Number(id)}`)
      ids.set(id, name)
      const snapshot = await ask(node, 'devnet_snapshot')
    }
    return opened
  } catch (error) {
    for (const { open } of opened) await open.close()
    throw error
  }
}

/** Ticks come from the test alone. */
async function standStill(node: OpenChain['node']): Promise<void> {
  await ask(node, 'evm_setAutomine', false)
  await ask(node, 'devnet_pause')
}

async function startOver(name: string, node: OpenChain['node'], snapshot: unknown): Promise<void> {
  try {
    await ask(node, 'devnet_reset', snapshot, [snapshot])
  } catch (error) {
    const why = 'the test has gone back behind its beginning'
    throw new Error(`the chain ${name} cannot start over: ${why}`, { cause: error })
  }
  await standStill(node)
}

/** How a run went. */
interface Outcome {
  readonly failed: boolean
  readonly error: unknown
  readonly recording: Recording
  /** What happened, for people; empty if the run has not failed. */
  readonly story: string
}

async function runOnce(
  chains: readonly FateableChain[],
  schedule: Schedule,
  body: Body,
  runMs: number,
): Promise<Outcome> {
  for (const chain of chains) await chain.startOver()
  countFor(formatFate(schedule))
  const play = await playFate(chains, schedule, { settled })
  const pairs: Record<string, FatedPair> = {}
  const ends: (() => unknown)[] = []
  try {
    for (const { name, open } of chains) {
      const view = await viewChain({ node: play.truthOf(name), log: open.log })
      ends.push(() => view.close())
      const chain = extendProvider<FatedChain>(view, {
        ...view,
        tick: (n) => play.tick(name, n),
        seal: () => play.seal(name),
        settle: () => play.settle(),
      })
      const { provider, end } = await providerOf(play, name)
      ends.push(end)
      pairs[name] = { chain, provider }
    }
    ends.push(tickWhileHeld(play, chains))
    const [first] = Object.values(pairs) as [FatedPair]
    const error = await failureOf(() => body({ ...first, chains: pairs, fate: formatFate(schedule) }), runMs)
    const story = error ? await describePlay(play, Object.keys(pairs)) : ''
    return { failed: error !== undefined, error: error?.thrown, recording: play.recording, story }
  } finally {
    for (const end of ends) await end()
    play.close()
  }
}

/** What a body throws, or that it does not end. */
async function failureOf(body: () => unknown, runMs: number): Promise<{ readonly thrown: unknown } | undefined> {
  const timer = new AbortController()
  const late = delay(runMs, undefined, { signal: timer.signal }).then(
    () => ({ thrown: new Error(`the test did not end within ${runMs} ms`) }),
    () => undefined,
  )
  try {
    return await Promise.race([Promise.resolve(body()).then(() => undefined), late])
  } catch (thrown) {
    return { thrown }
  } finally {
    timer.abort()
  }
}

/** The provider of the dapp. While a stream is broken it is disconnected. */
async function providerOf(play: Play, name: string) {
  let closed = false
  const connection = play.endpointOf(name).connect((body) => handle.receive(body))
  const handle = createProvider(async (body) => {
    if (closed) throw new DisconnectedError('the run is over')
    return connection.handle(body)
  })
  await handle.announceConnect()
  const unwatch = play.watch(
    name,
    ({ kind }) => kind === 'broken-stream' && handle.announceDisconnect('the stream is broken'),
    ({ kind }) => {
      // Nobody is told once the run is over.
      if (kind === 'broken-stream' && !closed) handle.announceConnect().catch(() => {})
    },
  )
  const end = () => {
    closed = true
    unwatch()
    connection.close()
  }
  return { provider: handle.provider, end }
}

/** Resolves when the dapp makes no more calls, unless a timer of its own has it make them later. */
async function settled(calls: () => Calls): Promise<void> {
  const until = performance.now() + MOST_SETTLING_MS
  let before = -1
  for (let quiet = 0; quiet < QUIET_ROUNDS && performance.now() < until; ) {
    await nextRound()
    const { begun, open } = calls()
    quiet = open === 0 && begun === before ? quiet + 1 : 0
    before = begun
  }
}

/** Ticks while a dapp waits for an answer that is held and nobody ticks: the test may await the dapp. @returns Ends that. */
function tickWhileHeld(play: Play, chains: readonly FateableChain[]): () => Promise<void> {
  const over = new AbortController()
  const ticking = async () => {
    for (let before = ''; !over.signal.aborted; ) {
      await delay(HELD_MS)
      const now = `${play.held} ${play.calls.begun} ${play.recording.acts.length}`
      const waits = play.held > 0 && now === before && !over.signal.aborted
      before = now
      if (waits) for (const { name } of chains) await play.tick(name)
    }
  }
  const ended = ticking()
  // What fails is told when the run ends.
  ended.catch(() => {})
  return () => {
    over.abort()
    return ended
  }
}

async function shrunkError(
  schedule: Schedule,
  failure: Outcome,
  run: (schedule: Schedule) => Promise<Outcome>,
): Promise<FateError> {
  const failures = new Map([[formatFate(schedule), failure]])
  const shortest = await shrinkFate(schedule, async (tried) => {
    const outcome = await run(tried)
    if (outcome.failed) failures.set(formatFate(tried), outcome)
    return outcome.failed
  })
  return toFateError(shortest, failures.get(formatFate(shortest)) ?? failure)
}

function toFateError(schedule: Schedule, { error, story }: Outcome): FateError {
  const fate = formatFate(schedule)
  const message = [
    `the test fails under a fate: ${error instanceof Error ? error.message : String(error)}`,
    '',
    `  fate: '${fate}'`,
    '',
    describeFate(schedule),
    '',
    story,
  ]
  return new FateError(fate, message.join('\n'), { cause: error })
}
