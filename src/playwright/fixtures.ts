import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'
import { countFor, processCounts } from '#coverage/process-counts.ts'
import { type Chain, type ChainOptions, viewChain } from '#library/chain.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { Activity } from './activity.ts'
import { attachChain } from './attach-chain.ts'
import { ChainPool, type ChainSetOptions, ONLY_CHAIN, type PooledChain, type Preparation } from './chain-pool.ts'
import { Fates, type TestedChain } from './fates/every.ts'
import { FateSeat } from './fates/fate-seat.ts'
import { type Faults, faultsPlan } from './fates/options.ts'
import { isRepeatable, repeatable, runTestBy } from './fates/rerun.ts'
import { type FlashblocksUrls, flashblocksRoutesOf, routeFlashblocks } from './flashblocks.ts'
import { loadPlaywright } from './load-playwright.ts'
import { expectWithin } from './matchers.ts'
import { attachUnknown, beginAsking, endAsking } from './replayed.ts'
import { attachReport } from './report/attach-report.ts'
import { buildsOf } from './report/builds-of.ts'
import { TestRecorder } from './report/test-recorder.ts'
import { isAt, type RpcUrls, routeRpc, routesOf } from './routing.ts'
import { type TestChain, testChain } from './test-chain.ts'
import { type NamedChain, type TestChains, testChains } from './test-chains.ts'
import { type InstalledWallet, openWallet, type Wallet, type WalletOptions } from './wallet.ts'
import type { WalletChain } from './wallet-networks.ts'

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
  /**
   * Runs each test under faults: `every` history that a dapp can meet, or one fate, such as `withdraw@2,late-answer@send1`. The
   * dapp's calls by the wallet and `rpcUrls` meet them; the test's own do not. Default: none.
   */
  faults: Faults<TestChains> | undefined
  /**
   * The report of a test that fails, `failure.html`: with pictures of its pages as they change (`pictures`, the default, with
   * Playwright 1.59 and later; a test that calls `page.screencast` itself needs another value), with one of its end
   * (`last picture`), or none (`off`).
   */
  failureReport: FailureReport
}

/** What there is of the report of a test that fails. */
export type FailureReport = 'pictures' | 'last picture' | 'off'

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
  readonly blinknetChains: readonly OwnedChain[]
  readonly blinknetWallet: InstalledWallet
  readonly blinknetRoutes: undefined
  readonly blinknetFates: undefined
}

/** A chain of a test, and what its dapp has of it. */
interface OwnedChain extends NamedChain {
  readonly pooled: PooledChain
  /** What the dapp is connected to: the node itself, unless the test has faults. */
  readonly dapp: RpcEndpoint
  readonly seat: FateSeat | undefined
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
  faults: [undefined, { option: true }],
  failureReport: ['pictures', { option: true }],

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

  blinknetChains: async ({ context, blinknetActivity, blinknetSet, faults, failureReport }, provide, testInfo) => {
    const chains: OwnedChain[] = []
    const views: Chain[] = []
    try {
      for (const pooled of blinknetSet) {
        const { name, open, server, options, snapshots } = pooled
        const seat = faults === undefined ? undefined : new FateSeat(name, open.node)
        const raw = await viewChain({ ...open, node: seat?.truth ?? open.node }, options.latest)
        views.push(raw)
        const settled = () => blinknetActivity.settled(context, () => seat?.held ?? 0)
        const chain = testChain(raw, { url: server.url, snapshots, settled, clock: seat })
        chains.push({ name, raw, chain, clock: seat, pooled, seat, dapp: seat?.dapp ?? open.node })
      }
      beginAsking(blinknetSet, testInfo.titlePath.join(' › '))
      const recorder =
        failureReport === 'off'
          ? undefined
          : await TestRecorder.begin(
              context,
              chains,
              testInfo,
              () => blinknetActivity.isLooking,
              failureReport === 'pictures',
            )
      await provide(chains)
      recorder?.end()
      if (testInfo.status !== testInfo.expectedStatus) {
        const files: Uint8Array[] = []
        for (const { name, raw } of chains) files.push(await attachChain(name, raw, testInfo))
        if (recorder) {
          const builds = await buildsOf(chains.map(({ raw }) => raw))
          await attachReport(await recorder.record(), files, builds, testInfo)
        }
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

  blinknetWallet: async ({ context, blinknetActivity, blinknetChains, rpcUrls, walletOptions }, provide) => {
    const routes = routesOf(rpcUrls, blinknetChains)
    const views: Chain[] = []
    try {
      const chains: WalletChain[] = []
      for (const { name, raw, dapp, seat, pooled } of blinknetChains) {
        const provider = seat ? await viewChain({ ...pooled.open, node: dapp }, pooled.options.latest) : raw
        if (seat) views.push(provider)
        const { chainId, server } = pooled
        const answersAt = (url: string) => routes.nameAt(url) === name || isAt(new URL(url), new URL(server.url))
        chains.push({ name, chainId, provider, answersAt })
      }
      const opened = await openWallet(context, chains, blinknetActivity, walletOptions)
      await provide(opened)
      opened.close()
    } finally {
      await Promise.all(views.map((view) => view.close()))
    }
  },

  // In every test, whether it names the wallet or not: the dapp looks for one.
  wallet: [({ blinknetWallet }, provide) => provide(blinknetWallet.wallet), { auto: true }],

  blinknetRoutes: [
    async ({ context, blinknetActivity, blinknetChains, rpcUrls, flashblocks }, provide) => {
      const end = await routeRpc(context, routesOf(rpcUrls, blinknetChains), blinknetActivity)
      // Tried first, as the route that Playwright is told last: a stream may have the host of an address for calls.
      const endStreams = await routeFlashblocks(
        context,
        flashblocksRoutesOf(flashblocks, blinknetChains),
        blinknetActivity,
      )
      await provide(undefined)
      endStreams()
      end()
    },
    { auto: true },
  ],

  // After the others: what they do to the chains belongs to the beginning of each run.
  blinknetFates: [
    async (
      { context, blinknetActivity, blinknetChains, blinknetWallet, blinknetRoutes, chains, faults },
      provide,
      info,
    ) => {
      if (faults === undefined) return provide(blinknetRoutes)
      if (!isRepeatable(info)) {
        throw new Error(
          'a test with faults is declared by the test of blinknet/playwright itself, not by one of mergeTests',
        )
      }
      const fated = blinknetChains.flatMap(({ seat, pooled }) => (seat ? [{ seat, pooled }] : []))
      const began: TestedChain[] = []
      for (const { seat, pooled } of fated) {
        const { name, own, snapshots } = pooled
        const beginning = await snapshots.hold()
        began.push({ name, own, seat, startOver: () => snapshots.backTo(beginning) })
      }
      const fates = await Fates.begin({
        plan: faultsPlan(faults, process.env),
        context,
        settled: (held) => blinknetActivity.settled(context, held),
        expectWithin,
        looking: (work) => blinknetActivity.looking(work),
        chains: began,
        tests: chains,
        info,
        onTried: (tried, failed) => processCounts()?.addHistories({ test: info.titlePath.join(' › '), tried, failed }),
        onFate: countFor,
        startWalletOver: () => blinknetWallet.startOver(),
      })
      runTestBy(info, (test) => fates.run(test))
      await provide(undefined)
      fates.close()
    },
    { auto: true },
  ],
})

/** The name of each option for `test.use`, by its short one. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  chain: 'chainOptions',
  chains: 'chainsOptions',
  wallet: 'walletOptions',
}

/** Playwright's `test`, with a chain and a wallet. */
export const test: BlinknetTest = repeatable(withShortNames(extended))

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
