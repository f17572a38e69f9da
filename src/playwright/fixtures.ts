import { writeFile } from 'node:fs/promises'
import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestInfo,
  TestType,
} from '@playwright/test'
import {
  type Chain,
  type ChainOptions,
  type ChainServer,
  type OpenChain,
  openChain,
  viewChain,
} from '#library/chain.ts'
import type { Hash } from '#primitives/hex.ts'
import { Activity } from './activity.ts'
import { loadPlaywright } from './load-playwright.ts'
import { routeRpc } from './routing.ts'
import { describeTimeline, type TestChain, testChain } from './test-chain.ts'
import { openWallet, type Wallet, type WalletOptions } from './wallet.ts'

const { test: base } = loadPlaywright()

/** Options for `test.use`, and for `use` in playwright.config.ts. */
export interface BlinknetOptions {
  /** The chain of the tests; its clock is `manual` unless this says `auto`. Other options, another chain. */
  chainOptions: ChainOptions
  walletOptions: WalletOptions
  /** Addresses that the dapp calls, such as `http://localhost:8545`: over HTTP and WebSocket, they are this chain. */
  rpcUrls: readonly string[]
}

/** The fixtures of a test. */
export interface BlinknetFixtures {
  /** At block 0 before each test, with nothing in its mempool, no fault planned, and its clock as its options say. */
  chain: TestChain
  /** In every page of the test. */
  wallet: Wallet
}

interface WorkerFixtures {
  /** The chains of a worker process, by their options; each listens on a free port. */
  blinknetChains: ChainPool
}

interface PooledChain {
  readonly open: OpenChain
  /** That of the worker process, over all its tests. */
  readonly own: Chain
  readonly server: ChainServer
}

interface ChainPool {
  get(options: ChainOptions): Promise<PooledChain>
}

type Own = BlinknetFixtures &
  BlinknetOptions & { readonly blinknetActivity: Activity; readonly blinknetRoutes: undefined }

/** `test.use` with the short names as well: `chain` and `wallet` take the options of their fixtures. */
export interface ShortNames {
  readonly chain?: ChainOptions
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

const extended = base.extend<Own, WorkerFixtures>({
  chainOptions: [{}, { option: true }],
  walletOptions: [{}, { option: true }],
  rpcUrls: [[], { option: true }],

  blinknetChains: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern
    async ({}, provide) => {
      const chains = new Map<string, Promise<PooledChain>>()
      await provide({
        get(options) {
          // A number of the wrong type is refused by name when the chain starts.
          const key = JSON.stringify(options, (_key, value: unknown) =>
            typeof value === 'bigint' ? `${value}n` : value,
          )
          const known = chains.get(key) ?? start(options)
          chains.set(key, known)
          return known
        },
      })
      // One that could not start has failed its tests.
      for (const started of await Promise.allSettled(chains.values())) {
        if (started.status === 'rejected') continue
        await started.value.own.close()
        await started.value.open.close()
      }
    },
    { scope: 'worker' },
  ],

  // oxlint-disable-next-line no-empty-pattern -- as above
  blinknetActivity: ({}, provide) => provide(new Activity()),

  chain: async ({ context, blinknetActivity, blinknetChains, chainOptions }, provide, testInfo) => {
    const { open, own, server } = await blinknetChains.get(chainOptions)
    await startOver(own, chainOptions)
    const view = await viewChain(open, chainOptions.latest)
    const chain = testChain(view, server.url, () => blinknetActivity.settled(context))
    await provide(chain)
    try {
      if (testInfo.status !== testInfo.expectedStatus) await attachChain(chain, testInfo)
    } finally {
      await view.close()
    }
  },

  // In every test, whether it names the wallet or not: the dapp looks for one.
  wallet: [
    async ({ context, chain, blinknetActivity, walletOptions }, provide) => {
      const opened = await openWallet(context, chain, blinknetActivity, walletOptions)
      await provide(opened.wallet)
      opened.close()
    },
    { auto: true },
  ],

  blinknetRoutes: [
    async ({ context, blinknetActivity, blinknetChains, chainOptions, rpcUrls }, provide) => {
      const { open } = await blinknetChains.get(chainOptions)
      const end = await routeRpc(context, rpcUrls, open.node, blinknetActivity)
      await provide(undefined)
      end()
    },
    { auto: true },
  ],
})

async function start(options: ChainOptions): Promise<PooledChain> {
  const open = await openChain({ clock: 'manual', ...options })
  const own = await viewChain(open)
  return { open, own, server: await own.listen() }
}

/** Takes back what the test before has done to the chain and its clock. */
async function startOver(chain: Chain, { clock = 'manual', speed = 1 }: ChainOptions): Promise<void> {
  // Before anything is asked: a planned fault would meet it.
  await chain.request({ method: 'devnet_reset' })
  await chain.request({ method: 'evm_setAutomine', params: [false] })
  await chain.request({ method: 'devnet_pause' })
  await chain.request({ method: 'devnet_setSpeed', params: [speed] })
  // A clock that ran until now may have ticked.
  await chain.request({ method: 'devnet_reset' })
  if (clock === 'auto') await chain.request({ method: 'devnet_resume' })
}

/** Transactions whose timelines are attached: the newest. */
const TOLD = 50

/** So that a failure can be looked at: the chain's file, which the page imports, and what happened to its transactions. */
async function attachChain(chain: TestChain, testInfo: TestInfo): Promise<void> {
  const hashes: Hash[] = []
  const { fork, head: newest } = await chain.request({ method: 'devnet_status' })
  const [head, first] = [Number(newest.number), Number(fork?.number ?? 0)]
  for (let number = head + 1; number > first && hashes.length < TOLD; number--) {
    const selector = number > head ? 'pending' : (`0x${number.toString(16)}` as const)
    const block = await chain.request({ method: 'eth_getBlockByNumber', params: [selector, false] })
    hashes.unshift(...((block?.transactions ?? []) as readonly Hash[]))
  }
  const { pending, queued } = await chain.request({ method: 'txpool_content' })
  for (const part of [pending, queued]) {
    for (const bySender of Object.values(part)) for (const { hash } of Object.values(bySender)) hashes.push(hash)
  }
  const timelines = await Promise.all(
    hashes.slice(-TOLD).map(async (hash) => describeTimeline(hash, await chain.timeline(hash))),
  )
  const body = timelines.length > 0 ? timelines.join('\n\n') : 'no transaction was sent'
  await testInfo.attach('timeline.txt', { body, contentType: 'text/plain' })
  const file = testInfo.outputPath('chain.blinknet')
  await writeFile(file, await chain.exportChain())
  await testInfo.attach('chain.blinknet', { path: file, contentType: 'application/octet-stream' })
}

/** The name of each option for `test.use`, by its short one. */
const LONG_NAMES: Readonly<Record<string, string>> = { chain: 'chainOptions', wallet: 'walletOptions' }

/** Playwright's `test`, with a chain and a wallet. */
export const test: BlinknetTest = withShortNames(extended)

/** Playwright takes the value of a fixture's name for the fixture itself; here it is its options. */
function withShortNames(given: Extended): BlinknetTest {
  const useLong = given.use.bind(given)
  const use: BlinknetTest['use'] = (options: object) => {
    const named = Object.entries(options).map(([name, value]) => [LONG_NAMES[name] ?? name, value as unknown] as const)
    useLong(Object.fromEntries(named) as Parameters<Extended['use']>[0])
  }
  return Object.assign(given, { use })
}
