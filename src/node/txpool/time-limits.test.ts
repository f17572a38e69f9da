import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { openFork } from '#node/fork/open-fork.ts'
import { MemoryJournal } from '#node/storage/memory-journal.ts'
import type { Transaction } from '#node/tx/transaction.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { remoteOf, WITHOUT_PROOFS } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { TimeLimits } from './time-limits.ts'

/** Each look at the clock takes as long as the test says. */
class SlowClock extends FakeClock {
  lookMs = 0
  override now(): number {
    this.jump(this.lookMs)
    return super.now()
  }
}

const lower = (index: number) => devAccount(index).address.toLowerCase() as Address
/** Account 1 is limited. */
const LIMITED = lower(1)

class FakeLimits implements TimeLimits {
  limit = 5
  readonly runs: { readonly hash: Hash; readonly ms: number; readonly isStopped: boolean }[] = []
  unwanted: (readonly [Address, string])[] = []
  loaded: readonly Address[] = []
  load(senders: Iterable<Address>): void {
    this.loaded = [...senders]
  }
  rankOf = (sender: Address) => (sender === LIMITED ? 1 : 0)
  limitMs = ({ sender }: Transaction) => (sender === LIMITED ? this.limit : Number.POSITIVE_INFINITY)
  ran({ hash }: Transaction, ms: number, isStopped: boolean): void {
    this.runs.push({ hash, ms, isStopped })
  }
  takeUnwanted() {
    return this.unwanted.splice(0)
  }
}

/** An endless loop of static calls of the precompile BLAKE2F with 100,000 rounds, which looks at the clock between them. */
const LOOP = '0x63000186a060e01b5f525b5f5f60d55f60095afa50600a56'

async function setUp() {
  const clock = new SlowClock()
  const limits = new FakeLimits()
  const node = await createTestNode({ mode: 'manual', tickBudgetMs: 60_000 }, { clock, timeLimits: limits })
  const { request } = node
  const at: Address = `0x${'c0'.repeat(20)}`
  await request('anvil_setCode', [at, LOOP])
  const loop = (from: number, nonce: number, gas = 1_000_000n) =>
    devAccount(from).signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      nonce,
      to: at,
      gas,
      maxFeePerGas: 50_000_000_000n,
      maxPriorityFeePerGas: 20_000_000_000n,
    })
  return { ...node, clock, limits, loop }
}

async function pending({ request }: Pick<TestNode, 'request'>): Promise<unknown> {
  return (await request('eth_getBlockByNumber', ['pending', false]))?.transactions
}

test('a transaction over its limit is stopped, changes nothing and waits; the others of its tick run', async () => {
  const { request, clock, limits, loop, ...node } = await setUp()
  const slow = await request('eth_sendRawTransaction', [await loop(1, 0)])
  const behind = await request('eth_sendRawTransaction', [await signTransfer(1, 1)])
  const other = await request('eth_sendRawTransaction', [await signTransfer(2, 0)])
  clock.lookMs = 1
  await request('devnet_tick')
  expect(await pending({ request })).toEqual([other])
  expect(limits.runs).toEqual([{ hash: slow, ms: expect.any(Number) as number, isStopped: true }])
  expect(limits.runs[0]?.ms).toBeLessThan(12)
  expect(await request('eth_getTransactionCount', [LIMITED, 'latest'])).toBe('0x0')
  expect(await request('eth_getTransactionCount', [LIMITED, 'pending'])).toBe('0x2')
  expect(await request('txpool_status')).toEqual({ pending: '0x2', queued: '0x0' })
  expect(node.logged).toEqual([])

  limits.limit = 1_000_000
  await request('devnet_tick')
  expect(await pending({ request })).toEqual([other, slow, behind])
  expect((await request('eth_getTransactionReceipt', [slow]))?.status).toBe('0x0')
  expect(limits.runs.slice(1)).toMatchObject([
    { hash: slow, isStopped: false },
    { hash: behind, isStopped: false },
  ])
})

test('senders with a lower rank come first, whatever the others pay', async () => {
  const { request, limits } = await setUp()
  limits.limit = 1_000
  const rich = await request('eth_sendRawTransaction', [
    await signTransfer(1, 0, { tip: 40_000_000_000n, maxFeePerGas: 90_000_000_000n }),
  ])
  const poor = await request('eth_sendRawTransaction', [await signTransfer(2, 0, { tip: 1n })])
  await request('devnet_tick')
  expect(await pending({ request })).toEqual([poor, rich])
})

test('with a limit of 0 a transaction waits, and what is not wanted leaves the pool with the reason', async () => {
  const { request, limits } = await setUp()
  limits.limit = 0
  const first = await request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  const second = await request('eth_sendRawTransaction', [await signTransfer(1, 2)])
  await request('devnet_tick')
  expect(await pending({ request })).toEqual([])
  limits.unwanted = [[LIMITED, 'its guest has left']]
  await request('devnet_tick')
  expect(await request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  for (const hash of [first, second]) {
    const timeline = await request('devnet_getTransactionTimeline', [hash])
    expect(timeline?.events.at(-1)).toMatchObject({ kind: 'dropped', reason: 'its guest has left' })
  }
})

test('without a limit a transaction that runs for longer than a block is told, with what took its time', async () => {
  const { request, clock, logged, loop } = await setUp()
  const slow = await request('eth_sendRawTransaction', [await loop(2, 0, 4_000_000n)])
  const quick = await request('eth_sendRawTransaction', [await signTransfer(3, 0)])
  clock.lookMs = 50
  await request('devnet_tick')
  clock.lookMs = 0
  await request('devnet_tick')
  expect(await pending({ request })).toEqual([slow, quick])
  expect(logged).toEqual([
    expect.stringMatching(
      new RegExp(
        `^transaction ${slow} ran for \\d+\\.\\d s, longer than a block \\(2\\.0 s\\), and everything else waited: \\d+ % of it in \\d+ calls of the precompile BLAKE2F \\(0x09\\)$`,
      ),
    ),
  ])
})

test('a look at what a seal would make leaves the pool as it is; the seal itself removes what is not wanted', async () => {
  const limits = new FakeLimits()
  const node = await createTestNode({}, { timeLimits: limits })
  const { request } = node
  await request('evm_setAutomine', [false])
  const hash = await request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  limits.unwanted = [[LIMITED, 'its guest has left']]
  expect(await pending({ request })).toEqual([hash])
  expect(await request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  await request('evm_mine')
  expect(await request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  expect(await request('eth_getTransactionReceipt', [hash])).toBe(null)
})

test('on a fork each run counts, also one that ends because something of the forked chain is missing', async () => {
  const original = await createTestNode({ mode: 'manual' })
  const at: Address = `0x${'c1'.repeat(20)}`
  // Reads the slot whose number is the block's timestamp.
  await original.request('anvil_setCode', [at, '0x4254'])
  await original.request('evm_mine')
  const clock = new FakeClock()
  const { remote } = remoteOf(original, WITHOUT_PROOFS)
  const fork = await openFork({ remote, clock }, [])
  const limits = new FakeLimits()
  limits.limit = 0
  const { request } = await createTestNode({ mode: 'manual' }, { clock, fork, timeLimits: limits })
  await request('devnet_tick')
  const raw = await devAccount(1).signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce: 0,
    to: at,
    gas: 100_000n,
    maxFeePerGas: 50_000_000_000n,
  })
  const hash = await request('eth_sendRawTransaction', [raw])
  // The transaction waits until another block than the one for which the node has fetched what it needs.
  await request('devnet_tick', [12])
  limits.limit = 1_000
  for (let tick = 0; tick < 4; tick++) await request('devnet_tick')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  expect(limits.runs.length).toBeGreaterThan(1)
  expect(limits.runs.every((run) => run.hash === hash && !run.isStopped)).toBe(true)
})

test('a node that opens a stored chain tells whose transactions wait in its pool, but for its own accounts', async () => {
  const journal = new MemoryJournal()
  const before = await createTestNode({ mode: 'manual' }, { journal })
  const stranger = privateKeyToAccount(`0x${'51'.repeat(32)}`)
  await before.request('anvil_setBalance', [stranger.address, '0xde0b6b3a7640000'])
  await before.request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  const raw = await stranger.signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce: 0,
    to: LIMITED,
    gas: 21_000n,
    maxFeePerGas: 2_000_000_000n,
  })
  await before.request('eth_sendRawTransaction', [raw])
  await before.node.close()
  const limits = new FakeLimits()
  await createTestNode({ mode: 'manual' }, { journal: journal.reopen(), timeLimits: limits })
  expect(limits.loaded).toEqual([stranger.address.toLowerCase()])
})
