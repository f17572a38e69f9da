import { processCounts } from '#coverage/process-counts.ts'
import {
  type Chain,
  type ChainOptions,
  type ChainServer,
  type OpenChain,
  openChain,
  viewChain,
} from '#library/chain.ts'
import { describeError } from '#primitives/describe-error.ts'
import type { Quantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { KeptPreparation, type PreparationKeeping } from './kept-preparation.ts'
import { NamedSnapshots } from './named-snapshots.ts'
import { beginAsking, endAsking } from './replayed.ts'
import { type TestChain, testChain } from './test-chain.ts'
import { type ChainsTools, type TestChains, testChains } from './test-chains.ts'

/** A chain of a worker process, over all its tests. */
export interface PooledChain {
  /** The name in the test's options; `chain` if the test has one chain without a name. */
  readonly name: string
  readonly options: ChainOptions
  readonly chainId: Quantity
  readonly open: OpenChain
  /** The chain of the worker process, over all its tests. */
  readonly own: Chain
  readonly server: ChainServer
  readonly snapshots: NamedSnapshots
  /** What the preparation of its set has returned. */
  readonly prepared?: unknown
}

/** What {@link Preparation.run} is given: the chains, where each send is in a block at once. */
export interface PreparedChains {
  /** The first of them. */
  readonly chain: TestChain
  readonly chains: TestChains
}

/** What is done with the chains of a worker process once, before its first test. */
export interface Preparation {
  /**
   * Deploys contracts, funds accounts. Whatever it leaves, blocks, receipts and logs, each test begins with. What it returns,
   * tests have as `prepared`.
   */
  readonly run: (given: PreparedChains) => unknown
  /**
   * Files that it depends on, such as `['contracts/**', 'scripts/deploy.ts']`. While none of them has changed, nor the
   * options of the chains, its own text, or Blinknet, later runs begin with what an earlier one has left.
   */
  readonly dependsOn?: readonly string[]
  /** Tells preparations with `dependsOn` apart whose functions have the same text. */
  readonly name?: string
}

/** Options of each chain of a test, by its name. */
export type ChainSetOptions = Readonly<Record<string, ChainOptions>>

/** How many chains a test may have: each is a node of its own in the worker process. */
export const MAX_CHAINS = 16

/** The name of the one chain of a test that names none. */
export const ONLY_CHAIN = 'chain'

const NAME = /^[A-Za-z][\w-]{0,63}$/
const TOOLS: Readonly<Record<keyof ChainsTools, true>> = {
  tick: true,
  seal: true,
  get: true,
  names: true,
  bridge: true,
}
/** What `chains` has besides its chains, and what any object has: `then` would make it a promise. */
const TAKEN_NAMES: readonly string[] = [
  ...Object.keys(TOOLS),
  ...['then', 'prototype', 'toJSON'],
  ...Object.getOwnPropertyNames(Object.prototype).filter((name) => NAME.test(name)),
]

/** The chains of a worker process, by their options and what prepared them; each listens on a free port. */
export class ChainPool {
  readonly #keeping: PreparationKeeping
  readonly #sets = new Map<string, Promise<readonly PooledChain[]>>()
  readonly #preparations = new Map<Preparation['run'], number>()

  /** @param keeping - Where preparations are kept, and who is told what becomes of them. */
  constructor(keeping: PreparationKeeping = {}) {
    this.#keeping = { owners: new Map(), ...keeping }
  }

  /**
   * The chains of a test, in the order of their options, as they were when they were prepared. Equal options give the same
   * chains again.
   *
   * @throws {Error} If they cannot be named so, one cannot start or be prepared, or two have the same chain id.
   */
  async get(options: ChainSetOptions, preparation?: Preparation): Promise<readonly PooledChain[]> {
    checkNames(Object.keys(options))
    const key = this.#keyOf(options, preparation)
    for (;;) {
      const before = this.#sets.get(key)
      const known = before ?? startAll(options, preparation, this.#keeping)
      this.#sets.set(key, known)
      const chains = await known
      if (await startOver(chains)) return chains
      // A test has gone back behind the beginning, which only a new chain has.
      this.#sets.delete(key)
      await Promise.all(chains.map(end))
      invariant(before, 'chains that have just begun can begin again')
    }
  }

  #keyOf(options: ChainSetOptions, preparation: Preparation | undefined): string {
    if (preparation !== undefined && typeof preparation.run !== 'function') {
      throw new TypeError('prepare takes a function, and preparation an object with it as run')
    }
    const run = preparation?.run
    const number = run && (this.#preparations.get(run) ?? this.#preparations.size)
    if (run && number !== undefined) this.#preparations.set(run, number)
    // A number of the wrong type is refused by name when the chain starts.
    return JSON.stringify([number, Object.entries(options)], (_key, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
  }

  /** Ends all chains. A set that could not start has failed its tests, and has ended its chains. */
  async close(): Promise<void> {
    const sets = await Promise.allSettled(this.#sets.values())
    await Promise.all(sets.flatMap((started) => (started.status === 'fulfilled' ? started.value.map(end) : [])))
  }
}

/** @throws {TypeError | RangeError} If a name cannot be one of a chain, or there are too many. */
function checkNames(names: readonly string[]): void {
  if (names.length === 0) throw new RangeError('chains names no chain: leave it out for one chain')
  if (names.length > MAX_CHAINS) throw new RangeError(`a test has at most ${MAX_CHAINS} chains, not ${names.length}`)
  for (const name of names) {
    if (NAME.test(name) && !TAKEN_NAMES.includes(name)) continue
    const text = JSON.stringify(name.slice(0, 80))
    throw new TypeError(
      `a chain cannot be named ${text}: letters, digits, _ and -, and none of ${TAKEN_NAMES.join(', ')}`,
    )
  }
}

/** Starts the chains of a set, prepared now or by an earlier run. */
async function startAll(
  options: ChainSetOptions,
  preparation: Preparation | undefined,
  keeping: PreparationKeeping,
): Promise<readonly PooledChain[]> {
  const { dependsOn } = preparation ?? {}
  // What is counted has to be executed.
  const place =
    preparation && dependsOn && !processCounts() && !(await isRecorded(options))
      ? await KeptPreparation.of(options, { ...preparation, dependsOn }, keeping)
      : undefined
  const kept = await place?.read()
  if (kept) {
    try {
      const loaded = Object.entries(options).map(([name, each]) => [name, { ...each, loadState: kept.files.get(name) }])
      const started = await startChains(Object.fromEntries(loaded) as ChainSetOptions)
      // Other options than those that were given are the pool's own.
      return started.map((chain) => ({ ...chain, options: options[chain.name] ?? chain.options, prepared: kept.value }))
    } catch (error) {
      await place?.discard(describeError(error))
    }
  }
  return startChains(options, preparation && ((started) => prepare(started, preparation, place)))
}

async function startChains(
  options: ChainSetOptions,
  prepareThem?: (started: readonly PooledChain[]) => Promise<unknown>,
): Promise<readonly PooledChain[]> {
  const started: PooledChain[] = []
  try {
    for (const [name, each] of Object.entries(options)) {
      const chain = await start(name, each)
      started.push(chain)
      const twin = started.find((other) => other !== chain && other.chainId === chain.chainId)
      if (twin) {
        throw new Error(
          `the chains ${twin.name} and ${name} have the same id, ${Number(chain.chainId)}: a wallet tells chains by it`,
        )
      }
    }
    const prepared = await prepareThem?.(started)
    for (const { own, snapshots } of started) snapshots.begin(await own.snapshot())
    return started.map((chain) => ({ ...chain, prepared }))
  } catch (error) {
    await Promise.all(started.map(end))
    throw error
  }
}

/**
 * @param place - Where its outcome is kept.
 * @returns What it returns.
 * @throws {Error} If it fails.
 */
async function prepare(
  started: readonly PooledChain[],
  { run }: Preparation,
  place: KeptPreparation | undefined,
): Promise<unknown> {
  const views: Chain[] = []
  try {
    const chains = []
    for (const { name, open, options, server, snapshots, own } of started) {
      const raw = await viewChain(open, options.latest)
      views.push(raw)
      chains.push({ name, raw, chain: testChain(raw, { url: server.url, snapshots, settled: async () => {} }) })
      await own.request({ method: 'evm_setAutomine', params: [true] })
    }
    const [first] = chains
    beginAsking(started, 'the preparation of the chains')
    const value: unknown = first && (await run({ chain: first.chain, chains: testChains(chains, async () => {}) }))
    endAsking(started)
    for (const { own } of started) await own.request({ method: 'evm_setAutomine', params: [false] })
    if (!place) return value
    if (started.some(({ snapshots }) => snapshots.names.length > 0)) {
      place.tellUnkept('it has taken snapshots with names, which are no part of a chain file')
      return value
    }
    return await place.write(await Promise.all(started.map(({ own }) => own.exportChain())), value)
  } catch (error) {
    const advice = 'mend what test.use({ prepare }) or preparation.run does; until then no test with it can begin'
    throw new Error(`the chains could not be prepared: ${describeError(error)}\n${advice}`, { cause: error })
  } finally {
    await Promise.all(views.map((view) => view.close()))
  }
}

/** Whether a command records a fork file of these chains: then they have to ask for all that it is to have. */
async function isRecorded(options: ChainSetOptions): Promise<boolean> {
  const files = Object.values(options).flatMap(({ fork }) => (typeof fork === 'string' ? [fork] : []))
  if (files.length === 0) return false
  const { recordingOf } = await import('#server/fork-file/recordings.ts')
  return (await Promise.all(files.map((file) => recordingOf(file)))).some((url) => url !== undefined)
}

async function start(name: string, options: ChainOptions): Promise<PooledChain> {
  // A stored chain has its own options.
  const isStored = options.data !== undefined || options.loadState !== undefined
  const open = await openChain({ ...(!isStored && { clock: 'manual', impersonatedSignatures: true }), ...options })
  try {
    const own = await viewChain(open)
    if (options.clock !== 'auto') await own.request({ method: 'devnet_pause' })
    const chainId = await own.request({ method: 'eth_chainId' })
    return { name, options, chainId, open, own, server: await own.listen(), snapshots: new NamedSnapshots(own) }
  } catch (error) {
    await open.close()
    throw error
  }
}

/**
 * Takes back what the test before has done to the chains and their clocks.
 *
 * @returns `false` if one cannot go back there.
 */
async function startOver(chains: readonly PooledChain[]): Promise<boolean> {
  for (const { own, snapshots, options } of chains) {
    const { clock = 'manual', speed = 1 } = options
    // Before anything is asked: a planned fault would meet it.
    if (!(await snapshots.startOver())) return false
    await own.request({ method: 'evm_setAutomine', params: [false] })
    await own.request({ method: 'devnet_pause' })
    await own.request({ method: 'devnet_setSpeed', params: [speed] })
    if (clock !== 'auto') continue
    // A clock that ran until now may have ticked.
    await snapshots.startOver()
    await own.request({ method: 'devnet_resume' })
  }
  return true
}

async function end({ own, open }: PooledChain): Promise<void> {
  try {
    await own.close()
  } finally {
    await open.close()
  }
}
