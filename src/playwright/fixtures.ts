import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'
import { processCounts } from '#coverage/process-counts.ts'
import { type Chain, type ChainOptions, viewChain } from '#library/chain.ts'
import { invariant } from '#primitives/invariant.ts'
import { Activity } from './activity.ts'
import { attachChain } from './attach-chain.ts'
import { ChainPool, type ChainSetOptions, ONLY_CHAIN, type PooledChain, type Preparation } from './chain-pool.ts'
import { type FlashblocksUrls, flashblocksRoutesOf, routeFlashblocks } from './flashblocks.ts'
import { loadPlaywright } from './load-playwright.ts'
import { attachUnknown, beginAsking, endAsking } from './replayed.ts'
import { isAt, type RpcUrls, routeRpc, routesOf } from './routing.ts'
import { type TestChain, testChain } from './test-chain.ts'
import { type NamedChain, type TestChains, testChains } from './test-chains.ts'
import { openWallet, type Wallet, type WalletOptions } from './wallet.ts'

const { test: base } = loadPlaywright()

/** Options for `test.use`, and for `use` in playwright.config.ts. */
export interface BlinknetOptions {
  /** The chain of the tests; its clock is `manual` unless this says `auto`. Other options, another chain. */
  chainOptions: ChainOptions
  /**
   * Several chains, by names that the test gives them: `{ l1: { chainId: 1 }, base: { chainId: 8453 } }`. Each has what
   * `chainOptions` says unless it says otherwise itself. Default: one chain.
   */
  chainsOptions: ChainSetOptions | undefined
  /**
   * What is done once in each worker process, before its first test: the chains that this leaves, each test begins with. In
   * `test.use` it is `prepare`, and takes the function alone.
   */
  preparation: Preparation | undefined
  walletOptions: WalletOptions
  /**
   * Addresses that the dapp calls, such as `http://localhost:8545`: over HTTP and WebSocket, they are the test's first chain,
   * or the chain named here: `{ 'http://localhost:8545': 'l1', 'https://mainnet.base.org': 'base' }`.
   */
  rpcUrls: RpcUrls
  /**
   * Flashblocks streams that the dapp reads, such as `wss://mainnet.flashblocks.base.org/ws`: the partial blocks of the
   * test's first chain come there, or of the chain named here: `{ 'wss://…/ws': 'base', 'ws://localhost:1111': { form: 'text' } }`.
   */
  flashblocks: FlashblocksUrls
}

/** The fixtures of a test. */
export interface BlinknetFixtures {
  /** At block 0 before each test, with nothing in its mempool, no fault planned, and its clock as its options say. */
  chain: TestChain
  /** All chains of the test by their names, each as `chain` is, which is the first of them. */
  chains: TestChains
  /** In every page of the test. */
  wallet: Wallet
  /** What the preparation of the test's chains has returned, such as addresses. */
  prepared: unknown
}

interface WorkerFixtures {
  blinknetPool: ChainPool
}

interface OwnFixtures {
  readonly blinknetActivity: Activity
  /** The chains of the worker process that are this test's, in the order of its options. */
  readonly blinknetSet: readonly PooledChain[]
  /** What this test has of them. */
  readonly blinknetChains: readonly NamedChain[]
  readonly blinknetRoutes: undefined
}

type Own = BlinknetFixtures & BlinknetOptions & OwnFixtures

/** `test.use` with the short names as well: `chain`, `chains` and `wallet` take the options of their fixtures. */
export interface ShortNames {
  readonly chain?: ChainOptions
  readonly chains?: ChainSetOptions | undefined
  readonly prepare?: Preparation['run'] | undefined
  readonly wallet?: WalletOptions
}

type Extended = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & Own,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
>

/** Playwright's `test`, with a chain and a wallet. */
export interface BlinknetTest extends Extended {
  use: Extended['use'] & ((options: Omit<Parameters<Extended['use']>[0], keyof ShortNames> & ShortNames) => void)
}

/** How long chains may take to start and to be prepared, in milliseconds. */
const PREPARATION_MS = 600_000

const extended = base.extend<Own, WorkerFixtures>({
  chainOptions: [{}, { option: true }],
  chainsOptions: [undefined, { option: true }],
  preparation: [undefined, { option: true }],
  walletOptions: [{}, { option: true }],
  rpcUrls: [[], { option: true }],
  flashblocks: [[], { option: true }],

  blinknetPool: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern
    async ({}, provide) => {
      const pool = new ChainPool()
      await provide(pool)
      await pool.close()
    },
    { scope: 'worker' },
  ],

  // oxlint-disable-next-line no-empty-pattern -- as above
  blinknetActivity: ({}, provide) => provide(new Activity()),

  blinknetSet: [
    async ({ blinknetPool, chainOptions, chainsOptions, preparation }, provide) => {
      const named = Object.entries(chainsOptions ?? { [ONLY_CHAIN]: {} })
      const options = Object.fromEntries(named.map(([name, own]) => [name, { ...chainOptions, ...own }]))
      await provide(await blinknetPool.get(options, preparation))
    },
    // Not of the time of the first test.
    { timeout: PREPARATION_MS },
  ],

  blinknetChains: async ({ context, blinknetActivity, blinknetSet }, provide, testInfo) => {
    const chains: NamedChain[] = []
    const views: Chain[] = []
    try {
      for (const { name, open, server, options, snapshots } of blinknetSet) {
        const raw = await viewChain(open, options.latest)
        views.push(raw)
        const settled = () => blinknetActivity.settled(context)
        chains.push({ name, raw, chain: testChain(raw, { url: server.url, snapshots, settled }) })
      }
      beginAsking(blinknetSet, testInfo.titlePath.join(' › '))
      await provide(chains)
      if (testInfo.status !== testInfo.expectedStatus) {
        for (const { name, raw } of chains) await attachChain(name, raw, testInfo)
        await attachUnknown(blinknetSet, testInfo)
      }
      endAsking(blinknetSet)
    } finally {
      await Promise.all(views.map((view) => view.close()))
      processCounts()?.write()
    }
  },

  chain: async ({ blinknetChains: [first] }, provide) => {
    invariant(first, 'a test has a chain')
    await provide(first.chain)
  },

  chains: ({ context, blinknetActivity, blinknetChains }, provide) =>
    provide(testChains(blinknetChains, () => blinknetActivity.settled(context))),

  prepared: ({ blinknetSet: [first] }: Own, provide: (value: unknown) => Promise<void>) => provide(first?.prepared),

  // In every test, whether it names the wallet or not: the dapp looks for one.
  wallet: [
    async ({ context, blinknetActivity, blinknetSet, blinknetChains, rpcUrls, walletOptions }, provide) => {
      const routes = routesOf(rpcUrls, blinknetSet)
      const chains = blinknetSet.map(({ name, chainId, server }) => ({
        name,
        chainId,
        provider: viewOf(blinknetChains, name),
        answersAt: (url: string) => routes.nameAt(url) === name || isAt(new URL(url), new URL(server.url)),
      }))
      const opened = await openWallet(context, chains, blinknetActivity, walletOptions)
      await provide(opened.wallet)
      opened.close()
    },
    { auto: true },
  ],

  blinknetRoutes: [
    async ({ context, blinknetActivity, blinknetSet, rpcUrls, flashblocks }, provide) => {
      const end = await routeRpc(context, routesOf(rpcUrls, blinknetSet), blinknetActivity)
      // Tried first, as the route that Playwright is told last: a stream may have the host of an address for calls.
      const endStreams = await routeFlashblocks(
        context,
        flashblocksRoutesOf(flashblocks, blinknetSet),
        blinknetActivity,
      )
      await provide(undefined)
      endStreams()
      end()
    },
    { auto: true },
  ],
})

function viewOf(chains: readonly NamedChain[], name: string): Chain {
  const found = chains.find((each) => each.name === name)
  invariant(found, 'a test has a view of each of its chains')
  return found.raw
}

/** The name of each option for `test.use`, by its short one. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  chain: 'chainOptions',
  chains: 'chainsOptions',
  wallet: 'walletOptions',
}

/** Playwright's `test`, with a chain and a wallet. */
export const test: BlinknetTest = withShortNames(extended)

/** Playwright takes the value of a fixture's name for the fixture itself; here it is its options. */
function withShortNames(given: Extended): BlinknetTest {
  const useLong = given.use.bind(given)
  const use: BlinknetTest['use'] = (options: object) => {
    const named = Object.entries(options).map(([name, value]: [string, unknown]) =>
      name === 'prepare'
        ? (['preparation', value === undefined ? undefined : { run: value }] as const)
        : ([LONG_NAMES[name] ?? name, value] as const),
    )
    useLong(Object.fromEntries(named) as Parameters<Extended['use']>[0])
  }
  return Object.assign(given, { use })
}
