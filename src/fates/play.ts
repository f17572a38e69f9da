import type { Hash } from '#primitives/hex.ts'
import { isObject, parsedJson } from '#primitives/json-object.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { changesChain } from '#rpc-types/effects.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { ResultOf } from '#rpc-types/methods.ts'
import { type Fault, MAX_FAULTS, type Schedule } from './fault.ts'
import { type FaultyDeps, faultyEndpoint } from './faulty-endpoint.ts'
import { type FateChain, type Happening, PlayedChain } from './played-chain.ts'
import { FateRecorder, type Recording } from './recording.ts'

/** How many blocks {@link Play.settle} waits at most, after the last fault. */
const MOST_BLOCKS = 8
/** Most ticks in one call. */
const MAX_TICKS = 100_000

type Tick = ResultOf<'devnet_tick'>

/** How many calls of the dapp have begun so far, and how many are under way, without those that wait for ticks. */
export interface Calls {
  readonly begun: number
  readonly open: number
}

export interface PlayOptions {
  /**
   * Resolves when the dapp has done what it has begun. It is waited for before each tick, and between a tick and its faults.
   * By default the calls that are under way are waited for.
   *
   * @param calls - As in {@link Play.calls}.
   */
  readonly settled?: (calls: () => Calls) => Promise<void>
  /** Called when a transaction of the dapp was taken, which its call may tell later, and when an answer is held. */
  readonly onSend?: (what: 'taken' | 'held') => void
  /** Lets ticks that bring nothing pass in one go: for a client that does nothing by itself meanwhile. */
  readonly leaps?: boolean
}

/** A fate that is being played. */
export interface Play {
  /**
   * A chain as the dapp sees it.
   *
   * @throws {TypeError} If there is no chain of that name.
   */
  endpointOf(name: string): RpcEndpoint
  /** A chain itself, which no fault meets; what is changed by it is recorded as the test's own. */
  truthOf(name: string): RpcEndpoint
  /**
   * Runs ticks one by one, with the faults that are due between them. Resolves with the live block after them.
   *
   * @param look - Called after each tick.
   */
  tick(name: string, n?: number, look?: () => Promise<void>): Promise<Tick>
  /** Has the faults act that are due, which the next tick would do. */
  act(): Promise<void>
  /** Ticks until the live block is sealed. */
  seal(name: string): Promise<Tick>
  /**
   * Ticks on all chains until no fault is to come, no transaction waits and all held answers were given, for eight blocks
   * after the last fault at most. Then every fault that lasts has ended.
   *
   * @param look - Called after each tick of all chains, and at the end.
   */
  settle(look?: () => Promise<void>): Promise<void>
  /** Ticks of a chain since the dapp's first transaction; `undefined` before. */
  tickOf(name: string): number | undefined
  /** What is in force on a chain, and for how long: two plays that stand alike go on alike. */
  standingOf(name: string): string
  /** What was done to the chains so far. */
  readonly recording: Recording
  /** What became of each fault, in the order of the schedule. */
  readonly happened: readonly Happening[]
  /** How many answers are held now: the dapp waits for ticks. */
  readonly held: number
  readonly calls: Calls
  /** The dapp's transactions on a chain, oldest first. */
  sentOn(name: string): readonly Hash[]
  /** What has happened to one of them, oldest first. */
  eventsOf(name: string, hash: Hash): Promise<readonly TimelineEvent[]>
  /** Tells when faults that last begin and end, such as those of streams. @returns Ends that. */
  watch(name: string, begins: (fault: Fault) => void, ends: (fault: Fault) => void): () => void
  /** Gives the answers that are held, and leaves the chains as they are. Endpoints then pass everything on. */
  close(): void
}

/**
 * Plays a fate: gives a dapp chains that meet its faults.
 *
 * @param schedule - A fault without a chain meets the first one.
 * @throws {TypeError} If a fault names a chain that there is not, or two chains have one name.
 * @throws {RangeError} If there are too many faults.
 */
export async function playFate(
  chains: readonly FateChain[],
  schedule: Schedule,
  options: PlayOptions = {},
): Promise<Play> {
  const faultsOf = sortFaults(chains, schedule)
  const recorder = new FateRecorder()
  const played = new Map<string, PlayedChain>()
  let queue: Promise<unknown> = Promise.resolve()
  let calls = 0
  const open = new Set<Promise<unknown>>()

  const deps: FaultyDeps = {
    recorder,
    onSent: begin,
    onHeld: () => options.onSend?.('held'),
    async during(work) {
      calls++
      const ended = work.then(
        () => {},
        () => {},
      )
      open.add(ended)
      try {
        return await work
      } finally {
        open.delete(ended)
      }
    },
  }

  const callsNow = (): Calls => ({ begun: calls, open: open.size })

  async function settled(): Promise<void> {
    if (options.settled) return options.settled(callsNow)
    while (open.size > 0) await Promise.all(open)
  }

  /** One after the other: ticks and faults of all chains. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }

  async function actDue(chain: PlayedChain): Promise<void> {
    await settled()
    await chain.actDue()
  }

  /** Ticks, with the faults that are due before and after: one tick, or several that bring nothing. */
  async function tickOn(chain: PlayedChain, most: number): Promise<{ readonly ticks: number; readonly last: Tick }> {
    await actDue(chain)
    const calm = options.leaps && most > 1 ? await chain.calmTicks() : 0
    const ticks = Math.max(1, Math.min(most, calm))
    for (let tick = 0; tick < ticks; tick++) recorder.add({ kind: 'tick', chain: chain.name })
    const last = await chain.runTicks(ticks)
    await actDue(chain)
    return { ticks, last }
  }

  function begin(): void {
    options.onSend?.('taken')
    for (const chain of played.values()) {
      if (chain.tick !== undefined) continue
      chain.begin()
      if (chain.ticking === 'by-clock') void inTurn(() => actDue(chain))
    }
  }

  for (const chain of chains) {
    const opened = await PlayedChain.open(chain, faultsOf.get(chain.name) ?? [], {
      onSent: begin,
      onTick(ticked) {
        ticked.countTicks()
        recorder.add({ kind: 'tick', chain: ticked.name })
        void inTurn(() => actDue(ticked))
      },
    })
    played.set(chain.name, opened)
  }

  await options.settled?.(callsNow)

  function chainOf(name: string): PlayedChain {
    const chain = played.get(name)
    if (chain) return chain
    throw new TypeError(`there is no chain ${JSON.stringify(name)}, there are ${[...played.keys()].join(', ')}`)
  }

  const tick: Play['tick'] = async (name, n = 1, look = async () => {}) => {
    if (!Number.isInteger(n) || n < 1 || n > MAX_TICKS) {
      throw new RangeError(`a chain ticks 1 to ${MAX_TICKS} times in one call, not ${n}`)
    }
    return inTurn(async () => {
      const chain = chainOf(name)
      for (let left = n; ; ) {
        const { ticks, last } = await tickOn(chain, left)
        left -= ticks
        await look()
        if (left <= 0) return last
      }
    })
  }

  const waits = async (chain: PlayedChain) => chain.ticksLeft() > 0 || (await chain.hasWaiting())

  return {
    endpointOf: (name) => faultyEndpoint(chainOf(name), deps),
    truthOf: (name) => recordedEndpoint(chainOf(name), recorder),
    tick,
    act: () =>
      inTurn(async () => {
        for (const chain of played.values()) await actDue(chain)
      }),
    async seal(name) {
      const { live, partialsPerBlock } = await chainOf(name).ask('devnet_status')
      return tick(name, Math.max(1, partialsPerBlock - live.index))
    },
    settle: (look = async () => {}) =>
      inTurn(async () => {
        const all = [...played.values()]
        const perBlock = Math.max(...all.map((chain) => chain.partialsPerBlock))
        let left = Math.max(...all.map((chain) => chain.ticksLeft())) + MOST_BLOCKS * perBlock
        for (;;) {
          await settled()
          const waiting = await Promise.all(all.map((chain) => waits(chain)))
          if (!waiting.includes(true) || left <= 0) break
          // The ticks of several chains take turns.
          const most = all.length > 1 ? 1 : left
          for (const chain of all) left -= (await tickOn(chain, most)).ticks / all.length
          await look()
        }
        for (const chain of all) await chain.endAll()
        await settled()
        await look()
      }),
    tickOf: (name) => chainOf(name).tick,
    standingOf: (name) => chainOf(name).standing,
    recording: recorder,
    get happened() {
      const all = [...played.values()].flatMap((chain) => chain.happened)
      return schedule.map((fault) => all.find((each) => each.fault === fault) as Happening)
    },
    get held() {
      return [...played.values()].reduce((sum, chain) => sum + chain.held, 0)
    },
    get calls() {
      return callsNow()
    },
    sentOn: (name) => chainOf(name).sent,
    eventsOf: (name, hash) => chainOf(name).eventsOf(hash),
    watch: (name, begins, ends) => chainOf(name).watch(begins, ends),
    close() {
      for (const chain of played.values()) chain.close()
    },
  }
}

/** @throws {TypeError | RangeError} As {@link playFate}. */
function sortFaults(chains: readonly FateChain[], schedule: Schedule): ReadonlyMap<string, Schedule> {
  if (schedule.length > MAX_FAULTS) {
    throw new RangeError(`a fate has at most ${MAX_FAULTS} faults, not ${schedule.length}`)
  }
  const faults = new Map<string, Fault[]>(chains.map(({ name }) => [name, []]))
  const names = [...faults.keys()]
  const [first] = names
  if (first === undefined) throw new TypeError('a fate is played on at least one chain')
  if (names.length < chains.length) throw new TypeError('two chains of a fate have the same name')
  for (const fault of schedule) {
    const met = faults.get(fault.chain ?? first)
    if (!met) throw new TypeError(`a fault meets the chain ${fault.chain}, there are ${names.join(', ')}`)
    met.push(fault)
  }
  return faults
}

/** The chain itself; changes are recorded. */
function recordedEndpoint(chain: PlayedChain, recorder: FateRecorder): RpcEndpoint {
  return {
    connect(push, options) {
      const inner = chain.node.connect(push, options)
      return {
        handle(body, caller) {
          const message = parsedJson(body)
          for (const item of Array.isArray(message) ? (message as readonly unknown[]) : [message]) {
            if (!isObject(item) || typeof item['method'] !== 'string' || !changesChain(item['method'])) continue
            const params = Array.isArray(item['params']) ? (item['params'] as readonly unknown[]) : []
            recorder.add({ kind: 'change', chain: chain.name, method: item['method'], params }, body.length)
          }
          return inner.handle(body, caller)
        },
        close: () => inner.close(),
      }
    },
  }
}
