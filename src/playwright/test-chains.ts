import type { AbiLike, AbiNames, EventArguments } from '#expect/abi-types.ts'
import { type Bridge, type BridgeOptions, bridge } from '#expect/bridge.ts'
import type { Chain } from '#library/chain.ts'
import type { ResultOf } from '#rpc-types/methods.ts'
import type { TestChain } from './test-chain.ts'

/** How many ticks {@link ChainsTools.seal} makes at most, of a set whose chains differ much in their block times. */
const MOST_TICKS = 100_000

/** The live block of each chain after a step, by the chain's name. */
export type LiveBlocks = Readonly<Record<string, ResultOf<'devnet_tick'>>>

/** A bridge between two chains of the test, by their names. */
export interface ChainsBridge<Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>>
  extends Omit<BridgeOptions<Abi, Name>, 'from' | 'to'> {
  readonly from: string
  readonly to: string
}

/** What all chains of a test do together. */
export interface ChainsTools {
  /** Names of the chains, in the order in which they tick. */
  readonly names: readonly string[]
  /** @throws {Error} If the test has no chain of that name. */
  get(name: string): TestChain
  /**
   * Moves all chains on by one clock, `n` steps (default 1). A step goes to the next moment at which a partial block of any
   * chain is due; those that are due then tick, in the order of the test's options. Chains with the same `partialMs` all tick
   * at each step.
   */
  tick(n?: number): Promise<LiveBlocks>
  /** Steps on until each chain has sealed the block that is live now. */
  seal(): Promise<LiveBlocks>
  /** Has events of one chain become calls on another, when the test says so. */
  bridge<const Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>>(
    options: ChainsBridge<Abi, Name>,
  ): Bridge<EventArguments<Abi, Name>>
}

/** The chains of a test by their names: `chains.base`. */
export type TestChains = ChainsTools & { readonly [name: string]: TestChain }

/** A chain and the view of it that waits for nothing. */
export interface NamedChain {
  readonly name: string
  readonly raw: Chain
  readonly chain: TestChain
  /** Who has the chain go on, in its place. */
  readonly clock?: Pick<Chain, 'tick'> | undefined
}

/**
 * The chains of a test on one clock.
 *
 * @param settled - Resolves when the dapp has done what it has begun.
 */
export function testChains(all: readonly NamedChain[], settled: () => Promise<void>): TestChains {
  const clocks = all.map(({ name, raw, clock }) => ({ name, raw, clock, leftMs: 0 }))
  async function step(): Promise<void> {
    for (const clock of clocks) {
      if (clock.leftMs > 0) continue
      // Asked anew each time: a test may change it.
      clock.leftMs = (await clock.raw.request({ method: 'devnet_status' })).partialMs
    }
    const passed = Math.min(...clocks.map(({ leftMs }) => leftMs))
    for (const clock of clocks) {
      clock.leftMs -= passed
      if (clock.leftMs <= 0) await (clock.clock ?? clock.raw).tick()
    }
  }

  async function liveBlocks(): Promise<LiveBlocks> {
    const live: Record<string, LiveBlocks[string]> = {}
    for (const { name, raw } of clocks) {
      const { number, index } = (await raw.request({ method: 'devnet_status' })).live
      live[name] = { number, index }
    }
    return live
  }

  function named(name: string): NamedChain {
    const found = all.find((each) => each.name === name)
    if (found) return found
    throw new Error(`this test has no chain ${JSON.stringify(name)}: it has ${tools.names.join(', ')}`)
  }

  const tools: ChainsTools = {
    names: all.map(({ name }) => name),
    get: (name) => named(name).chain,
    bridge: (options) => bridge({ ...options, from: named(options.from).raw, to: named(options.to).raw }),
    async tick(n = 1) {
      if (!Number.isInteger(n) || n < 1 || n > MOST_TICKS) {
        throw new RangeError(`tick takes a whole number from 1 to ${MOST_TICKS}, not ${String(n)}`)
      }
      await settled()
      for (let left = n; left > 0; left--) await step()
      return liveBlocks()
    },
    async seal() {
      await settled()
      const before = await liveBlocks()
      for (let ticks = 0; ; ticks++) {
        const live = await liveBlocks()
        const waiting = clocks.filter(({ name }) => live[name]?.number === before[name]?.number)
        if (waiting.length === 0) return live
        if (ticks === MOST_TICKS) {
          const names = waiting.map(({ name }) => name).join(', ')
          throw new Error(`${MOST_TICKS} ticks sealed no block of ${names}: tick that chain by itself`)
        }
        await step()
      }
    },
  }
  return Object.freeze(Object.assign(Object.fromEntries(all.map(({ name, chain }) => [name, chain])), tools))
}
