import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryJournal } from '#node/storage/memory-journal.ts'
import type { Hash } from '#primitives/hex.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { forkOf } from '#testing/node/fork-of.ts'
import { signLogger } from '#testing/node/rpc/log-contract.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

// Automine that was turned off on request: nothing is pre-confirmed, and `pending` is what a seal would make now.

const SENDER = devAccount(0).address
const POOR = `0x${'ab'.repeat(20)}` as const
/** Stores 42 in slot 0; its code returns that on every call. */
const CREATION = '0x602a600055600b6011600039600b6000f360005460005260206000f3'
const CREATED = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const WORD_42 = `0x${'2a'.padStart(64, '0')}`

async function onRequest(how: 'automine' | 'interval' = 'automine'): Promise<TestNode> {
  const node = await createTestNode()
  if (how === 'automine') await node.request('evm_setAutomine', [false])
  else await node.request('evm_setIntervalMining', [0])
  return node
}

const transactionsOf = async ({ request }: TestNode, block: 'pending' | 'latest') =>
  (await request('eth_getBlockByNumber', [block, false]))?.transactions

test.each(['automine', 'interval'] as const)(
  'with %s off, a transaction that builds on a waiting one is estimated, called and sent, and both are mined',
  async (how) => {
    const node = await onRequest(how)
    const { request } = node
    const deployed = await request('eth_sendTransaction', [{ from: SENDER, data: CREATION, gas: '0x30d40' }])
    expect(await request('eth_call', [{ to: CREATED }, 'pending'])).toBe(WORD_42)
    expect(await node.requestLoosely('eth_call', [{ to: CREATED }, { blockNumber: 'pending' }])).toBe(WORD_42)
    expect(await request('eth_getStorageAt', [CREATED, '0x0', 'pending'])).toBe(WORD_42)
    // The pay of somebody who has nothing yet.
    const paid = await request('eth_sendTransaction', [{ from: SENDER, to: POOR, value: '0xde0b6b3a7640000' }])
    await request('anvil_impersonateAccount', [POOR])
    const next = { from: POOR, to: SENDER, value: '0x7' }
    expect(await request('eth_estimateGas', [next])).toBe('0x5208')
    expect(await request('eth_estimateGas', [next, 'pending'])).toBe('0x5208')
    await expect(request('eth_estimateGas', [next, 'latest'])).rejects.toThrow('insufficient funds')
    expect(await request('eth_fillTransaction', [next])).toMatchObject({ tx: { gas: '0x5208' } })
    expect(await transactionsOf(node, 'pending')).toEqual([deployed, paid])
    await request('evm_mine')
    expect(await transactionsOf(node, 'latest')).toEqual([deployed, paid])
    expect(await request('eth_getTransactionReceipt', [paid])).toMatchObject({ status: '0x1' })
  },
)

test('what waits is in pending alone: it has no receipt, and no reading of latest has it', async () => {
  const node = await onRequest()
  const { request } = node
  const hash = await request('eth_sendRawTransaction', [await signLogger(0, 0, WORD_42 as Hash)])
  await node.clock.advance(10_000)
  expect(await transactionsOf(node, 'pending')).toEqual([hash])
  expect(await request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])).toHaveLength(1)
  expect(await request('eth_getBlockReceipts', ['pending'])).toMatchObject([{ transactionHash: hash, status: '0x1' }])
  expect(await request('debug_traceBlockByNumber', ['pending', { tracer: 'callTracer' }])).toHaveLength(1)
  expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ blockNumber: null })
  expect(await request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  expect(await request('eth_getLogs', [{ fromBlock: 'latest' }])).toEqual([])
  const reader = node.node.connect(undefined, { latest: 'preconfirmed' })
  const params = [SENDER, 'latest']
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params })
  expect(JSON.parse((await reader.handle(body)) ?? '')).toMatchObject({ result: '0x0' })
})

test('reading pending decides nothing: what waits is still reordered, replaced and dropped', async () => {
  const node = await onRequest()
  const { request } = node
  const victim = await request('eth_sendRawTransaction', [await signTransfer(0, 0, { tip: 1_000_000_000n })])
  expect(await transactionsOf(node, 'pending')).toEqual([victim])
  const before = await request('eth_sendRawTransaction', [await signTransfer(1, 0, { tip: 2_000_000_000n })])
  const gone = await request('eth_sendRawTransaction', [await signTransfer(2, 0)])
  expect(await transactionsOf(node, 'pending')).toEqual([before, victim, gone])
  await request('anvil_dropTransaction', [gone])
  const replaced = await request('eth_sendRawTransaction', [
    await signTransfer(0, 0, { tip: 3_000_000_000n, maxFeePerGas: 20_000_000_000n }),
  ])
  expect(await transactionsOf(node, 'pending')).toEqual([replaced, before])
  await request('evm_mine')
  expect(await transactionsOf(node, 'latest')).toEqual([replaced, before])
})

test('pending is the block that a seal makes, whatever waits and whatever has been read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          from: fc.integer({ min: 0, max: 3 }),
          tip: fc.integer({ min: 1, max: 9 }),
          reads: fc.boolean(),
          tick: fc.boolean(),
        }),
        { maxLength: 8 },
      ),
      async (sends) => {
        const node = await onRequest()
        const { request } = node
        const nonces = [0, 0, 0, 0]
        for (const { from, tip, reads, tick } of sends) {
          const nonce = nonces[from] ?? 0
          nonces[from] = nonce + 1
          const gwei = BigInt(tip) * 1_000_000_000n
          await request('eth_sendRawTransaction', [await signTransfer(from, nonce, { tip: gwei })])
          if (reads) await request('eth_getBlockByNumber', ['pending', false])
          if (tick) await request('devnet_tick')
        }
        const pending = await request('eth_getBlockByNumber', ['pending', true])
        await request('evm_mine')
        const sealed = await request('eth_getBlockByNumber', ['latest', false])
        expect(sealed?.hash).toBe(pending?.hash)
        expect(sealed?.transactions).toHaveLength(sends.length)
      },
    ),
    { numRuns: 15 },
  )
})

test.each(['devnet_pause', 'a manual clock'] as const)('with %s what waits stays out of pending', async (how) => {
  const node = await createTestNode(how === 'devnet_pause' ? {} : { mode: 'manual' })
  const { request } = node
  if (how === 'devnet_pause') await request('devnet_pause')
  else await request('evm_setAutomine', [false])
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect(await transactionsOf(node, 'pending')).toEqual([])
  await request('devnet_tick')
  expect(await transactionsOf(node, 'pending')).toEqual([hash])
})

test.each([
  ['devnet_resume', []],
  ['evm_setIntervalMining', [2]],
] as const)('after %s the clock pre-confirms what waits', async (method, params) => {
  const node = await onRequest()
  const { request } = node
  expect(await request('devnet_status')).toMatchObject({ paused: true, minesOnRequest: true })
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.node.connect().handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  expect(await transactionsOf(node, 'pending')).toEqual([])
  await node.clock.advance(200)
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
})

test('devnet_pause ends that: pending has what ticks have pre-confirmed, and nothing that waits', async () => {
  const node = await onRequest()
  const { request } = node
  await request('devnet_pause')
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect(await transactionsOf(node, 'pending')).toEqual([])
  await request('devnet_tick')
  expect(await transactionsOf(node, 'pending')).toEqual([hash])
  await request('devnet_dropPartialBlocks')
  expect(await transactionsOf(node, 'pending')).toEqual([])
})

test('a chain that is opened again is still one whose blocks are made on request', async () => {
  const journal = new MemoryJournal()
  const before = await createTestNode({}, { journal })
  await before.request('evm_setAutomine', [false])
  const hash = await before.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await before.node.close()
  const after = await createTestNode({}, { journal: journal.reopen() })
  expect(await after.request('devnet_status')).toMatchObject({ minesOnRequest: true })
  expect(await transactionsOf(after, 'pending')).toEqual([hash])
  await after.request('devnet_resume')
  expect(await after.request('devnet_status')).not.toHaveProperty('minesOnRequest')
})

test('many reads under way at once make one preview', async () => {
  const node = await onRequest()
  for (let nonce = 0; nonce < 20; nonce++) {
    await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  }
  const bodies = Array.from({ length: 50 }, (_, id) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_getBalance', params: [devAccount(9).address, 'pending'] }),
  )
  const answers = (await Promise.all(bodies.map(node.raw))).map((text) => JSON.parse(text ?? '') as JsonRpcResponse)
  expect(new Set(answers.map((answer) => ('result' in answer ? answer.result : answer))).size).toBe(1)
})

test('on a fork, pending has what waits once what that touches is fetched', async () => {
  const original = await createTestNode({ mode: 'manual' })
  await original.request('anvil_setCode', [CREATED, '0x60005460005260206000f3'])
  await original.request('anvil_setStorageAt', [CREATED, '0x0', WORD_42])
  const { node } = await forkOf(original, undefined, 'auto')
  await node.request('evm_setAutomine', [false])
  // Calls what only the original chain has, in a block that nobody has executed yet.
  const gas = '0x186a0'
  const hash = await node.request('eth_sendTransaction', [{ from: devAccount(3).address, to: CREATED, gas }])
  expect(await transactionsOf(node, 'pending')).toEqual([hash])
  expect(await node.request('eth_call', [{ to: CREATED }, 'pending'])).toBe(WORD_42)
  const pending = await node.request('eth_getBlockByNumber', ['pending', false])
  await node.request('evm_mine')
  expect(await node.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({ hash: pending?.hash })
})
