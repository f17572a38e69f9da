import {
  type Chain,
  type ChainOptions,
  type ChainServer,
  type OpenChain,
  openChain,
  viewChain,
} from '#library/chain.ts'
import type { Quantity } from '#primitives/hex.ts'

/** A chain of a worker process, over all its tests. */
export interface PooledChain {
  /** The name in the test's options; `chain` if the test has one chain without a name. */
  readonly name: string
  readonly options: ChainOptions
  readonly chainId: Quantity
  readonly open: OpenChain
  /** That of the worker process, over all its tests. */
  readonly own: Chain
  readonly server: ChainServer
}

/** Options of each chain of a test, by its name. */
export type ChainSetOptions = Readonly<Record<string, ChainOptions>>

/** How many chains a test may have: each is a node of its own in the worker process. */
export const MAX_CHAINS = 16

/** The name of the one chain of a test that names none. */
export const ONLY_CHAIN = 'chain'

const NAME = /^[A-Za-z][\w-]{0,63}$/
/** What `chains` has besides its chains. */
const TAKEN_NAMES: readonly string[] = ['tick', 'seal', 'get', 'names', 'then', 'constructor', 'prototype']

/** The chains of a worker process, by their options; each listens on a free port. */
export class ChainPool {
  readonly #sets = new Map<string, Promise<readonly PooledChain[]>>()

  /**
   * The chains of a test, in the order of their options. Equal options give the same chains again.
   *
   * @throws {Error} If they cannot be named so, one cannot start, or two have the same chain id.
   */
  get(options: ChainSetOptions): Promise<readonly PooledChain[]> {
    checkNames(Object.keys(options))
    // A number of the wrong type is refused by name when the chain starts.
    const key = JSON.stringify(Object.entries(options), (_key, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    const known = this.#sets.get(key) ?? startAll(options)
    this.#sets.set(key, known)
    return known
  }

  /** Ends all chains. A set that could not start has failed its tests, and has ended its chains. */
  async close(): Promise<void> {
    for (const started of await Promise.allSettled(this.#sets.values())) {
      if (started.status === 'fulfilled') await Promise.all(started.value.map(end))
    }
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

async function startAll(options: ChainSetOptions): Promise<readonly PooledChain[]> {
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
    return started
  } catch (error) {
    await Promise.all(started.map(end))
    throw error
  }
}

async function start(name: string, options: ChainOptions): Promise<PooledChain> {
  const open = await openChain({ clock: 'manual', ...options })
  const own = await viewChain(open)
  const chainId = await own.request({ method: 'eth_chainId' })
  return { name, options, chainId, open, own, server: await own.listen() }
}

async function end({ own, open }: PooledChain): Promise<void> {
  await own.close()
  await open.close()
}
