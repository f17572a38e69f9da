import { expect, test } from 'vitest'
import type { Hash } from '#primitives/hex.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const manual = () => createTestNode({ mode: 'manual' })
const kinds = async ({ request }: TestNode, hash: Hash) =>
  (await request('devnet_getTransactionTimeline', [hash]))?.events.map(({ kind }) => kind)
const send = async ({ request }: TestNode, from: number, nonce: number) =>
  request('eth_sendRawTransaction', [await signTransfer(from, nonce)])

test('a dropped pre-confirmation reverts receipt, nonce and balance, and is made again at the next tick', async () => {
  const node = await manual()
  const { request } = node
  const sender = devAccount(0).address
  const before = await request('eth_getBalance', [sender, 'pending'])
  await request('devnet_tick')
  const hash = await send(node, 0, 0)
  await request('devnet_tick')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  const { base } = await subscribed(node)
  const empty = await request('eth_getBlockByNumber', ['0x0', false])

  expect(await request('devnet_dropPartialBlocks')).toEqual({ number: '0x1', index: 1, withdrawn: [hash] })
  expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ blockNumber: null })
  expect(await request('eth_getBalance', [sender, 'pending'])).toBe(before)
  expect((await request('eth_getProof', [sender, [], 'pending'])).nonce).toBe('0x0')
  expect(await request('eth_getTransactionCount', [sender, 'pending'])).toBe('0x1')
  const [told] = base()
  expect(told).toMatchObject({
    index: 1,
    base: { number: '0x1', parentHash: empty?.hash },
    diff: { transactions: [], gasUsed: '0x0' },
  })

  await request('devnet_tick')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1', blockNumber: '0x1' })
  expect(await kinds(node, hash)).toEqual(['received', 'preconfirmed', 'withdrawn', 'preconfirmed'])
})

test('a transaction withdrawn with the fate lose is unknown, and can be sent again', async () => {
  const node = await manual()
  const { request } = node
  const hash = await send(node, 0, 0)
  const behind = await send(node, 0, 1)
  await request('devnet_tick')
  const later = await send(node, 0, 2)
  await request('devnet_dropPartialBlocks', [9, 'lose'])
  expect(await request('chain_transactionStatus', [hash])).toEqual({ status: 'Unknown' })
  expect(await request('eth_getTransactionCount', [devAccount(0).address, 'pending'])).toBe('0x0')
  // Later transactions wait behind the gap, and are executed once it is filled.
  await request('devnet_tick', [2])
  expect(await request('eth_getTransactionReceipt', [later])).toBeNull()
  expect(await send(node, 0, 0)).toBe(hash)
  expect(await send(node, 0, 1)).toBe(behind)
  await request('devnet_tick')
  expect((await request('eth_getBlockByNumber', ['pending', false]))?.transactions).toEqual([hash, behind, later])
  expect(await kinds(node, hash)).toEqual(['received', 'preconfirmed', 'withdrawn', 'received', 'preconfirmed'])
})

test('at index 0 there is a partial block to drop, and then the block is empty', async () => {
  const node = await manual()
  const { request } = node
  const hash = await send(node, 0, 0)
  await request('devnet_tick', [10])
  const second = await send(node, 0, 1)
  await request('devnet_tick', [10])
  expect((await request('devnet_status')).live.index).toBe(0)
  const third = await send(node, 1, 0)
  await request('devnet_tick')
  expect(await request('devnet_dropPartialBlocks', [5])).toMatchObject({ index: 0, withdrawn: [third] })
  expect(await request('devnet_dropPartialBlocks', [1])).toMatchObject({ index: 0, withdrawn: [] })
  expect((await request('eth_getBlockByNumber', ['pending', false]))?.gasUsed).toBe('0x0')
  await request('devnet_tick')
  expect((await request('eth_getBlockByNumber', ['pending', false]))?.transactions).toEqual([third])
  for (const sealed of [hash, second]) expect((await kinds(node, sealed))?.at(-1)).toBe('sealed')
})

test('a block is sealed on time even if partial blocks are dropped late', async () => {
  const { request, clock } = await createTestNode()
  await clock.advance(1_500)
  await request('devnet_dropPartialBlocks', [4])
  expect((await request('devnet_status')).live.index).toBe(3)
  await clock.advance(400)
  expect((await request('devnet_status')).live.index).toBe(5)
  await clock.advance(100)
  expect(await request('eth_blockNumber')).toBe('0x1')
})

test('a withdrawal goes back to the newest partial block that holds transactions, and prefers given hashes', async () => {
  const node = await manual()
  const { request } = node
  const [first, second] = [await send(node, 0, 0), await send(node, 1, 0)]
  await request('devnet_tick')
  const third = await send(node, 2, 0)
  await request('devnet_tick', [3])
  expect(await request('devnet_withdrawNext')).toEqual({
    ...{ id: 1, number: '0x1', first: 2, last: 4, fate: 'requeue' },
    withdrawn: [third],
  })
  expect((await request('devnet_status')).faults.withdrawal).toEqual({
    planned: null,
    latest: { id: 1, number: '0x1', first: 2, last: 4, fate: 'requeue', count: 1, withdrawn: [third] },
  })
  await request('devnet_tick')
  expect(await request('devnet_withdrawNext', ['lose', [first]])).toMatchObject({
    ...{ id: 2, first: 1, last: 2, fate: 'lose' },
    withdrawn: [first, second, third],
  })
  expect(await request('chain_transactionStatus', [second])).toEqual({ status: 'Unknown' })
})

test('if there is nothing to withdraw, the next partial block that holds transactions is withdrawn one tick later', async () => {
  const node = await manual()
  const { request } = node
  await request('eth_subscribe', ['newPartialBlocks'])
  expect(await request('devnet_withdrawNext')).toBeNull()
  await request('devnet_tick', [12])
  expect((await request('devnet_status')).faults.withdrawal).toEqual({ planned: 'requeue', latest: null })
  const hash = await send(node, 0, 0)
  await request('devnet_tick')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1', blockNumber: '0x2' })
  node.notifications.length = 0
  await request('devnet_tick')
  expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(node.notifications.map(({ result }) => result)).toMatchObject([{ index: 2, base: { number: '0x2' } }])
  expect((await request('devnet_status')).faults.withdrawal).toMatchObject({
    planned: null,
    latest: { number: '0x2', first: 3, last: 3, count: 1, withdrawn: [hash] },
  })
  // A withdrawal happens once: the transaction is pre-confirmed again, and stays.
  await request('devnet_tick', [20])
  expect(await kinds(node, hash)).toEqual(['received', 'preconfirmed', 'withdrawn', 'preconfirmed', 'sealed'])
})

test('a planned withdrawal comes before the seal, also for a block’s last partial block and for a block sealed on request', async () => {
  const node = await manual()
  const { request } = node
  await request('devnet_tick', [8])
  await request('devnet_withdrawNext', ['lose'])
  const last = await send(node, 0, 0)
  await request('devnet_tick')
  expect((await request('devnet_status')).live.index).toBe(9)
  expect(await kinds(node, last)).toEqual(['received', 'preconfirmed'])
  await request('devnet_tick')
  expect(await request('eth_getBlockByNumber', ['0x1', false])).toMatchObject({ transactions: [] })
  expect(await kinds(node, last)).toEqual(['received', 'preconfirmed', 'withdrawn'])

  await request('devnet_withdrawNext')
  const mined = await send(node, 1, 0)
  await request('devnet_seal')
  expect(await request('eth_getBlockByNumber', ['0x2', false])).toMatchObject({ transactions: [] })
  await request('devnet_seal')
  expect(await kinds(node, mined)).toEqual(['received', 'preconfirmed', 'withdrawn', 'preconfirmed', 'sealed'])

  await request('devnet_withdrawNext')
  const edited = await send(node, 1, 1)
  await request('devnet_tick')
  await request('evm_setNextBlockTimestamp', [4_000_000_000])
  expect(await kinds(node, edited)).toEqual(['received', 'preconfirmed', 'withdrawn'])
})

test('a planned withdrawal can be cancelled, and a reset cancels it', async () => {
  const node = await manual()
  const { request } = node
  await request('devnet_withdrawNext', ['lose'])
  expect(await request('devnet_withdrawNext', ['none'])).toBeNull()
  const hash = await send(node, 0, 0)
  await request('devnet_tick', [11])
  expect(await kinds(node, hash)).toEqual(['received', 'preconfirmed', 'sealed'])
  await request('devnet_withdrawNext')
  await request('devnet_reset')
  expect((await request('devnet_status')).faults.withdrawal).toEqual({ planned: null, latest: null })
})

test('withdrawn logs are sent again as removed', async () => {
  const node = await manual()
  const { request } = node
  const contract = `0x${'c0'.repeat(20)}` as const
  await request('anvil_setCode', [contract, '0x5f5fa0'])
  await request('devnet_seal')
  await request('eth_subscribe', ['pendingLogs', {}])
  await request('devnet_withdrawNext')
  const sent = await request('eth_sendTransaction', [{ from: devAccount(0).address, to: contract, gas: '0x30d40' }])
  await request('devnet_tick', [2])
  const told = node.notifications.map(({ result }) => result as { transactionHash: Hash; removed: boolean })
  expect(told.map(({ transactionHash, removed }) => [transactionHash, removed])).toEqual([
    [sent, false],
    [sent, true],
  ])
})

test('a reorg withdraws sealed blocks, and their transactions are sealed again in other blocks', async () => {
  const node = await manual()
  const { request } = node
  const heads: unknown[] = []
  await request('eth_subscribe', ['newHeads'])
  const first = await send(node, 0, 0)
  await request('devnet_seal')
  const second = await send(node, 0, 1)
  await request('devnet_seal')
  const third = await send(node, 0, 2)
  await request('devnet_tick')
  const removed = await Promise.all(['0x2', '0x1'].map((number) => request('eth_getBlockByNumber', [number, false])))
  heads.push(...node.notifications.splice(0))

  const result = await request('devnet_reorg', [2])
  expect(result.removed).toEqual(removed.map((block) => block?.hash))
  expect(result.head.number).toBe('0x0')
  expect(await request('eth_blockNumber')).toBe('0x0')
  expect(await request('eth_getBlockByHash', [result.removed[0], false])).toBeNull()
  expect(await request('eth_getBlockByNumber', ['pending', false])).toMatchObject({ number: '0x1', transactions: [] })
  for (const hash of [first, second, third]) {
    expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
    expect((await kinds(node, hash))?.at(-1)).toBe('withdrawn')
  }

  await request('devnet_seal')
  const again = await request('eth_getBlockByNumber', ['0x1', false])
  expect(again?.transactions).toEqual([first, second, third])
  expect(result.removed).not.toContain(again?.hash)
  expect(node.notifications.map(({ result: head }) => (head as { hash: Hash }).hash)).toEqual([again?.hash])
  expect(await kinds(node, first)).toEqual([
    'received',
    'preconfirmed',
    'sealed',
    'withdrawn',
    'preconfirmed',
    'sealed',
  ])
})

test('a reorg deeper than the chain is refused, and changes nothing', async () => {
  const { request } = await manual()
  await request('devnet_seal', [2])
  const pending = await request('eth_getBlockByNumber', ['pending', false])
  await expect(request('devnet_reorg', [3])).rejects.toMatchObject({ error: { code: -32602 } })
  expect(await request('eth_getBlockByNumber', ['pending', false])).toEqual(pending)
  expect((await request('devnet_reorg', [2])).head.number).toBe('0x0')
})

test('the live block always builds on the head, even during a reorg', async () => {
  const { request } = await createTestNode()
  await request('devnet_seal', [3])
  const reorg = request('devnet_reorg', [2])
  for (let i = 0; i < 20; i++) {
    const [latest, pending] = await Promise.all([
      request('eth_getBlockByNumber', ['latest', false]),
      request('eth_getBlockByNumber', ['pending', false]),
    ])
    expect(pending?.parentHash).toBe(latest?.hash)
  }
  await reorg
})

test('a sealed block is announced before the block that opens after it', async () => {
  const node = await manual()
  await node.request('eth_subscribe', ['newPartialBlocks'])
  await node.request('eth_subscribe', ['newHeads'])
  await node.request('devnet_seal')
  const told = node.notifications.map(({ result }) => result as Partial<PartialBlockDiff> & { number?: string })
  expect(told.map(({ metadata, number }) => metadata?.blockNumber ?? number)).toEqual(['0x1', '0x1', '0x2'])
  expect(told[2]).toMatchObject({ index: 0, base: { number: '0x2', parentHash: (told[1] as { hash?: Hash }).hash } })
})

test('faults with parameters out of range are refused', async () => {
  const { request } = await manual()
  for (const [method, params] of [
    ['devnet_seal', [0]],
    ['devnet_dropPartialBlocks', [0]],
    ['devnet_dropPartialBlocks', [1, 'keep']],
    ['devnet_withdrawNext', ['keep']],
    ['devnet_withdrawNext', ['lose', ['0x01']]],
    ['devnet_withdrawNext', ['lose', Array.from({ length: 1_001 }, () => `0x${'00'.repeat(32)}`)]],
    ['devnet_reorg', [0]],
    ['devnet_stallPartialBlocks', [-1]],
    ['devnet_delaySeal', [600_001]],
    ['devnet_failNext', [{ methods: ['eth_chainId'] }]],
    ['devnet_failNext', [{ methods: [], delayMs: 1 }]],
    ['devnet_failNext', [{ methods: ['eth_nothing'], delayMs: 1 }]],
    ['devnet_failNext', [{ methods: ['eth_chainId'], error: { code: 1.5, message: '' } }]],
    ['devnet_failNext', [{ methods: ['eth_chainId'], error: { message: '' } }]],
  ] as const) {
    await expect(request(method, params), method).rejects.toMatchObject({ error: { code: -32602 } })
  }
})

/** Subscribes to diffs; `base` returns later messages with a base. */
async function subscribed(node: TestNode): Promise<{ base: () => PartialBlockDiff[] }> {
  await node.request('eth_subscribe', ['newPartialBlocks'])
  const from = node.notifications.length
  return { base: () => node.notifications.slice(from).map(({ result }) => result as PartialBlockDiff) }
}
