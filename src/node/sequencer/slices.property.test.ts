import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'

// On a manual clock nothing depends on the machine's speed.

/** A machine on which so much time passes between two looks at the clock. */
class SlowClock extends FakeClock {
  readonly #lookMs: number

  constructor(lookMs: number) {
    super()
    this.#lookMs = lookMs
  }

  override now(): number {
    this.jump(this.#lookMs)
    return super.now()
  }
}

const ACCOUNT = `0x${'31'.repeat(20)}` as const
const small = fc.integer({ min: 1, max: 12 })
type Step = readonly [name: string, n: number]
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(
    'send',
    'send',
    'send many',
    'evm_mine',
    'evm_mine at',
    'evm_mine blocks',
    'hardhat_mine',
    'hardhat_mine apart',
    'anvil_mine apart',
    'evm_increaseTime',
    'evm_setTime',
    'anvil_setNextBlockTimestamp',
    'anvil_setBlockTimestampInterval',
    'anvil_removeBlockTimestampInterval',
    'hardhat_setBlockTimestampInterval',
    // With another number the clock drives the chain, which is then as fast as the machine.
    'evm_setIntervalMining',
    'evm_setAutomine on',
    'evm_setAutomine off',
    'devnet_tick',
    'devnet_seal',
    'devnet_setTiming',
    'devnet_setSpeed',
    'devnet_delaySeal',
    'devnet_stallPartialBlocks',
    'anvil_setBalance',
    'anvil_setCoinbase',
    'evm_snapshot',
    'evm_revert',
    'devnet_reorg',
    'devnet_dropPartialBlocks',
    'devnet_reset',
  ),
  small,
)

const quantity = (n: number): Hex => `0x${n.toString(16)}`

/** Where the chain stands after the steps. */
async function run(steps: readonly Step[], lookMs: number) {
  const { request, requestLoosely, clock } = await createTestNode(
    { mode: 'manual', tickBudgetMs: 20 },
    { clock: new SlowClock(lookMs) },
  )
  const loosely = requestLoosely as (method: string, params: readonly unknown[]) => Promise<unknown>
  const seconds = async (tag: 'latest' | 'pending') =>
    Number((await request('eth_getBlockByNumber', [tag, false]))?.timestamp)
  const snapshots: unknown[] = []
  const answers: unknown[] = []
  const call = async (method: string, ...params: unknown[]) => {
    try {
      answers.push([method, await loosely(method, params)])
    } catch (error) {
      answers.push([method, (error as Error).message])
    }
    return answers.at(-1)
  }
  const send = async (n: number) => {
    const sender = n % 3
    const nonce = Number(await request('eth_getTransactionCount', [`0x${ADDRESSES[sender]}`, 'pending']))
    const raw = await signTransfer(sender, nonce, { value: BigInt(n), maxFeePerGas: 10n ** 12n })
    await call('eth_sendRawTransaction', raw)
  }
  const doing: Readonly<Record<string, (n: number) => unknown>> = {
    send,
    async 'send many'(n) {
      for (let i = 0; i < 30; i++) await send(n)
    },
    'evm_mine at': async (n) => call('evm_mine', (await seconds('pending')) + n),
    'evm_mine blocks': (n) => call('evm_mine', { blocks: n }),
    evm_mine: () => call('evm_mine'),
    hardhat_mine: (n) => call('hardhat_mine', quantity(n * 7)),
    'hardhat_mine apart': (n) => call('hardhat_mine', quantity(n * 11), quantity(n % 4)),
    'anvil_mine apart': (n) => call('anvil_mine', n * 5, 60),
    evm_setTime: async (n) => call('evm_setTime', (await seconds('latest')) + n),
    anvil_setNextBlockTimestamp: async (n) => call('anvil_setNextBlockTimestamp', (await seconds('pending')) + n),
    anvil_removeBlockTimestampInterval: () => call('anvil_removeBlockTimestampInterval'),
    hardhat_setBlockTimestampInterval: (n) => call('hardhat_setBlockTimestampInterval', n * 1_000),
    evm_setIntervalMining: () => call('evm_setIntervalMining', 0),
    'evm_setAutomine on': () => call('evm_setAutomine', true),
    'evm_setAutomine off': () => call('evm_setAutomine', false),
    devnet_setTiming: (n) => call('devnet_setTiming', { partialMs: 50 * n, partialsPerBlock: n }),
    devnet_delaySeal: (n) => call('devnet_delaySeal', n * 100),
    anvil_setBalance: (n) => call('anvil_setBalance', ACCOUNT, quantity(n)),
    anvil_setCoinbase: () => call('anvil_setCoinbase', ACCOUNT),
    async evm_snapshot() {
      await call('evm_snapshot')
      snapshots.push((answers.at(-1) as readonly unknown[])[1])
    },
    evm_revert: () => call('evm_revert', snapshots.pop() ?? '0x99'),
    devnet_reset: () => call('devnet_reset'),
  }
  for (const [name, n] of steps) await (doing[name] ?? ((count: number) => call(name, count)))(n)
  const [latest, pending] = [
    await request('eth_getBlockByNumber', ['latest', false]),
    await request('eth_getBlockByNumber', ['pending', false]),
  ]
  const { chainTimeMs, live, head } = await request('devnet_status')
  // With a clock that is looked at, the clocks differ.
  if (lookMs > 0) expect(clock.now()).toBeGreaterThan(new FakeClock().now() + lookMs)
  return { latest, pending, chainTimeMs, live, head, answers }
}

/** The addresses of development accounts 0 to 2. */
const ADDRESSES = [
  'f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
]

const EXAMPLES: readonly (readonly Step[])[] = [
  // Chain time lies behind the newest timestamp when many blocks are mined.
  [
    ['anvil_setBlockTimestampInterval', 12],
    ['evm_mine blocks', 10],
    ['anvil_removeBlockTimestampInterval', 1],
    ['hardhat_mine apart', 9],
  ],
  // A tick takes longer than ticks may.
  [
    ['send many', 1],
    ['devnet_tick', 1],
  ],
]

test('on a manual clock the same calls make the same chain, in slices of a step, of many, and without end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }), async (steps) => {
      const endless = await run(steps, 0)
      expect(await run(steps, 1)).toEqual(endless)
      expect(await run(steps, 51)).toEqual(endless)
    }),
    { numRuns: runsOf(25), examples: EXAMPLES.map((steps) => [steps]) },
  )
})
