import { expect, test } from 'vitest'
import type { Hash, Hex } from '#primitives/hex.ts'
import { changesChain, isRepeatable } from '#rpc-types/effects.ts'
import { EFFECTS } from '#rpc-types/method-tables.derived.ts'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'

// Whatever a client does to the chain, however often: ticks come every 200 ms and seals every 2 s, by the clock.

const PARTIAL_MS = 200
const BLOCK_MS = 2_000
const EVERY_MS = 20
const FOR_MS = 4_100
const ACCOUNT = `0x${'31'.repeat(20)}` as const
/** Development account 8. */
const SENDER = '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f'
const WORD = `0x${'07'.repeat(32)}` as const

type Params = readonly unknown[]
interface Change {
  /** @param round - 1 for the first call. */
  readonly params: (node: TestNode, round: number) => Params | Promise<Params>
  /** Why transfers that wait are not pre-confirmed as usual, if they are not. */
  readonly takes?: string
}
/** A method that changes the chain, or why it is not tried. */
type Tried = Change | string

const called = (...params: Params): Change => ({ params: () => params })
const counted = (params: (round: number) => Params): Change => ({ params: (_node, round) => params(round) })
const taking = (takes: string, change: Change): Change => ({ ...change, takes })
const pendingSecond = async ({ request }: TestNode) =>
  Number((await request('eth_getBlockByNumber', ['pending', false]))?.timestamp)
const laterSecond: Change = { params: async (node) => [(await pendingSecond(node)) + 1] }
const presentSecond: Change = {
  params: async ({ request }) => [Math.floor((await request('devnet_status')).chainTimeMs / 1000) + 1],
}
const revert = taking('what came after the snapshot is lost', {
  params: async ({ request, clock }) => {
    const id = await request('evm_snapshot')
    await clock.advance(EVERY_MS)
    return [id]
  },
})
const quantity = (n: number): Hex => `0x${n.toString(16)}`
const balance = counted((round) => [ACCOUNT, quantity(round)])
const storage = counted((round) => [ACCOUNT, '0x1', `0x${round.toString(16).padStart(64, '0')}`])
const coinbase = counted((round) => [`0x${round.toString(16).padStart(40, '0')}`])
const exported: Change = { params: async ({ request }) => [await request('devnet_exportState')] }
const reorg = (...params: Params) =>
  taking('blocks are taken back', {
    async params({ request }) {
      await request('devnet_seal')
      return params
    },
  })
const dump = counted((round) => [
  `0x${Buffer.from(JSON.stringify({ accounts: { [ACCOUNT]: { balance: quantity(round) } } })).toString('hex')}`,
])

const STARTS_OVER = 'begins another chain, with a grid of its own'
const REFUSED = 'is refused'
const SWITCHES = 'turns the clock’s ticks off'
const WAITS = 'waits for a receipt, so that it cannot be called every 20 ms'
const SENDS = 'sends as eth_sendTransaction does'

const CHANGES: Readonly<Record<string, Tried>> = {
  anvil_setBalance: balance,
  anvil_addBalance: balance,
  anvil_setNonce: balance,
  anvil_setCode: counted((round) => [ACCOUNT, `0x60${(round % 256).toString(16).padStart(2, '0')}`]),
  anvil_setStorageAt: storage,
  anvil_dealERC20: 'edits as anvil_setStorageAt does',
  anvil_setERC20Allowance: 'edits as anvil_setStorageAt does',
  anvil_impersonateAccount: called(ACCOUNT),
  anvil_stopImpersonatingAccount: called(ACCOUNT),
  anvil_autoImpersonateAccount: called(false),
  anvil_mine: called(),
  anvil_setAutomine: SWITCHES,
  anvil_setIntervalMining: called(2),
  anvil_snapshot: called(),
  anvil_revert: revert,
  anvil_increaseTime: called(1),
  anvil_setNextBlockTimestamp: laterSecond,
  anvil_setTime: presentSecond,
  anvil_setBlockTimestampInterval: counted((round) => [1 + (round % 3)]),
  anvil_removeBlockTimestampInterval: called(),
  anvil_setBlockGasLimit: counted((round) => [30_000_000 + round]),
  anvil_setNextBlockBaseFeePerGas: counted((round) => [quantity(1_000_000_000 + round)]),
  anvil_setNextBlockPrevRandao: counted((round) => [`0x${round.toString(16).padStart(64, '0')}`]),
  anvil_setCoinbase: coinbase,
  anvil_setMinGasPrice: REFUSED,
  anvil_dropTransaction: called(WORD),
  anvil_dropAllTransactions: taking('what waits is dropped', called()),
  anvil_removePoolTransactions: called(ACCOUNT),
  anvil_loadState: dump,
  anvil_reset: STARTS_OVER,
  anvil_setRpcUrl: REFUSED,
  anvil_setLoggingEnabled: called(true),
  anvil_setChainId: REFUSED,
  anvil_reorg: reorg(1, []),
  anvil_rollback: reorg(1),
  devnet_tick: 'is a tick, which comes before its time because somebody asks for it',
  devnet_pause: SWITCHES,
  devnet_resume: called(),
  devnet_setSpeed: called(1),
  devnet_faucet: balance,
  devnet_seal: called(),
  devnet_setTiming: called({ partialMs: PARTIAL_MS }),
  devnet_dropPartialBlocks: taking('it withdraws them', called(1, 'requeue')),
  devnet_withdrawNext: taking('it withdraws them', called('requeue')),
  devnet_reorg: reorg(1, 'requeue'),
  devnet_stallPartialBlocks: taking('ticks pre-confirm nothing', called(1)),
  devnet_delaySeal: 'delays the seal on request, and what comes after it',
  devnet_failNext: called({ methods: ['eth_chainId'], times: 0 }),
  devnet_setAtomicBundles: called('ready'),
  devnet_snapshot: called(),
  devnet_revert: revert,
  devnet_reset: STARTS_OVER,
  devnet_importState: exported,
  devnet_importChain: STARTS_OVER,
  devnet_startChain: STARTS_OVER,
  devnet_forgetSnapshots: called(),
  eth_sendRawTransactionSync: WAITS,
  eth_sendTransaction: called({ from: SENDER, to: ACCOUNT, value: '0x1', gas: '0x5208' }),
  eth_sendTransactionSync: WAITS,
  eth_sendUnsignedTransaction: SENDS,
  eth_resend: SENDS,
  wallet_sendCalls: SENDS,
  evm_mine: called(),
  evm_mine_detailed: called(),
  evm_snapshot: called(),
  evm_revert: revert,
  evm_increaseTime: called(1),
  evm_setNextBlockTimestamp: laterSecond,
  evm_setTime: presentSecond,
  evm_setBlockGasLimit: counted((round) => [30_000_000 + round]),
  evm_setAutomine: SWITCHES,
  evm_setIntervalMining: called(2),
  hardhat_setBalance: balance,
  hardhat_setNonce: balance,
  hardhat_setCode: counted((round) => [ACCOUNT, `0x60${(round % 256).toString(16).padStart(2, '0')}`]),
  hardhat_setStorageAt: storage,
  hardhat_impersonateAccount: called(ACCOUNT),
  hardhat_stopImpersonatingAccount: called(ACCOUNT),
  hardhat_mine: called('0x2', '0x3'),
  hardhat_setAutomine: SWITCHES,
  hardhat_setNextBlockBaseFeePerGas: counted((round) => [quantity(1_000_000_000 + round)]),
  hardhat_setCoinbase: coinbase,
  hardhat_setPrevRandao: counted((round) => [`0x${round.toString(16).padStart(64, '0')}`]),
  hardhat_setMinGasPrice: REFUSED,
  hardhat_dropTransaction: called(WORD),
  hardhat_reset: STARTS_OVER,
  hardhat_setLoggingEnabled: called(true),
  hardhat_loadState: dump,
  hardhat_setBlockTimestampInterval: counted((round) => [1_000 * (1 + (round % 3))]),
  hardhat_removeBlockTimestampInterval: called(),
  hardhat_setRpcUrl: REFUSED,
}
const tried = Object.entries(CHANGES).flatMap(([method, change]) =>
  typeof change === 'string' ? [] : [[method, change] as const],
)

test('every method that changes a chain is tried here, or there is a reason why not', () => {
  const changing = Object.keys(EFFECTS).filter((name) => changesChain(name) && !isRepeatable(name))
  expect(Object.keys(CHANGES).toSorted()).toEqual(changing.toSorted())
})

/** Milliseconds of the clock until the next tick and until the seal. */
async function due({ request }: TestNode) {
  const { live, chainTimeMs } = await request('devnet_status')
  return [live.nextTickAtMs - chainTimeMs, live.sealsAtMs - chainTimeMs]
}

test.each(tried)('%s every 20 ms moves neither ticks nor seals', async (method, { params, takes }) => {
  const node = await createTestNode()
  const { clock } = node
  const startMs = clock.now()
  const loosely = node.requestLoosely as (name: string, given: Params) => Promise<unknown>
  const waiting = new Map<Hash, number>()
  let sent = 0
  await clock.advance(350)
  for (let round = 1; clock.now() < startMs + FOR_MS; round++) {
    if (round % 40 === 1) {
      const raw = await signTransfer(0, sent, { maxFeePerGas: 10n ** 12n })
      if (takes === undefined) waiting.set(await node.request('eth_sendRawTransaction', [raw]), clock.now())
      sent++
    }
    await loosely(method, await params(node, round))
    const passedMs = clock.now() - startMs
    const [tickMs, sealMs] = await due(node)
    expect([tickMs, sealMs]).toEqual([PARTIAL_MS - (passedMs % PARTIAL_MS), BLOCK_MS - (passedMs % BLOCK_MS)])
    await clock.advance(EVERY_MS)
    for (const [hash, sentAtMs] of waiting) {
      if (await node.request('eth_getTransactionReceipt', [hash])) waiting.delete(hash)
      else expect(clock.now() - sentAtMs, `${hash} waits`).toBeLessThanOrEqual(2 * PARTIAL_MS)
    }
  }
  expect(node.logged).toEqual([])
})

test('a block or more that was missed, as by a slow transaction, does not move the grid', async () => {
  const { request, clock } = await createTestNode()
  const startMs = clock.now()
  clock.jump(2 * BLOCK_MS + 730)
  await clock.advance(0)
  const node = { request, clock } as TestNode
  expect(Number(await request('eth_blockNumber'))).toBe(1)
  // 70 ms are left of this tick's time, and 1,270 of this block's.
  expect(clock.now() - startMs).toBe(4_730)
  await clock.advance(0)
  expect(await due(node)).toEqual([70, 1_270])
  await clock.advance(1_270)
  expect(Number(await request('eth_blockNumber'))).toBe(2)
  expect(await due(node)).toEqual([PARTIAL_MS, BLOCK_MS])
})

test('an edit that comes while a tick is overdue leaves it overdue', async () => {
  const { request, clock } = await createTestNode({}, { clock: new FakeClock() })
  clock.jump(BLOCK_MS + 50)
  await request('anvil_setBalance', [ACCOUNT, '0x1'])
  await clock.advance(0)
  expect(await due({ request, clock } as TestNode)).toEqual([150, 1_950])
  expect(Number(await request('eth_blockNumber'))).toBe(2)
})
