import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

test('a transaction is pre-confirmed at the next tick and sealed with its block', async () => {
  const { request, clock } = await createTestNode()
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ blockNumber: null, blockHash: null })

  await clock.advance(200)
  expect(await request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x1')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1', status: '0x1' })
  expect(await request('eth_blockNumber')).toBe('0x0')

  await clock.advance(1_800)
  expect(await request('eth_blockNumber')).toBe('0x1')
  const block = await request('eth_getBlockByNumber', ['latest', false])
  expect(block?.transactions).toEqual([hash])
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockHash: block?.hash })
})

test('the last partial block has the hash of the sealed block', async () => {
  const { request, clock } = await createTestNode()
  for (let nonce = 0; nonce < 3; nonce++) {
    await request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
    await clock.advance(400)
  }
  await clock.advance(600)
  const last = await request('eth_getBlockByNumber', ['pending', true])
  await clock.advance(200)
  const sealed = await request('eth_getBlockByNumber', ['latest', true])
  expect(last?.number).toBe('0x1')
  expect(sealed?.hash).toBe(last?.hash)
  expect(sealed?.transactions).toHaveLength(3)
})

test('a partial block with nothing new has the hash of the one before', async () => {
  const { request, clock } = await createTestNode()
  const before = await request('eth_getBlockByNumber', ['pending', false])
  await clock.advance(200)
  expect(await request('eth_getBlockByNumber', ['pending', false])).toEqual(before)
})

test('pre-confirmed transactions keep their order at the seal', async () => {
  const { request, clock } = await createTestNode()
  const cheapFirst = await request('eth_sendRawTransaction', [await signTransfer(0, 0, { tip: 1n })])
  await clock.advance(200)
  const dearLater = await request('eth_sendRawTransaction', [await signTransfer(1, 0, { tip: 5_000_000_000n })])
  await clock.advance(200)
  expect((await request('eth_getBlockByNumber', ['pending', false]))?.transactions).toEqual([cheapFirst, dearLater])
  await clock.advance(1_600)
  expect((await request('eth_getBlockByNumber', ['latest', false]))?.transactions).toEqual([cheapFirst, dearLater])
})

test('within one tick the best tip goes first', async () => {
  const { request, clock } = await createTestNode()
  const low = await request('eth_sendRawTransaction', [await signTransfer(0, 0, { tip: 1n })])
  const high = await request('eth_sendRawTransaction', [await signTransfer(1, 0, { tip: 2n })])
  await clock.advance(200)
  expect((await request('eth_getBlockByNumber', ['pending', false]))?.transactions).toEqual([high, low])
})

test('a block holds one tenth of its gas more at each index, and what does not fit waits', async () => {
  const { request, clock } = await createTestNode({ gasLimit: 5_000_000, partialsPerBlock: 100, partialMs: 200 })
  // 50,000 gas an index: two transfers of 21,000 fit at index 1 (100,000 so far: four in all).
  for (let nonce = 0; nonce < 6; nonce++) await request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  await clock.advance(200)
  expect(await request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x4')
  await clock.advance(200)
  expect(await request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x6')
})

test('pause stops the chain, a step cuts one partial block, resume goes on', async () => {
  const { request, clock } = await createTestNode()
  await request('devnet_pause')
  await clock.advance(10_000)
  expect(await request('devnet_status')).toMatchObject({ paused: true, live: { number: '0x1', index: 0 } })
  expect(await request('devnet_tick')).toEqual({ number: '0x1', index: 1 })
  await request('devnet_resume')
  await clock.advance(400)
  expect(await request('devnet_status')).toMatchObject({ paused: false, live: { number: '0x1', index: 3 } })
})

test('after a pause longer than a block the timestamps catch up with the clock', async () => {
  const { request, clock } = await createTestNode()
  await request('devnet_pause')
  await clock.advance(600_000)
  await request('devnet_resume')
  await clock.advance(4_000)
  const head = await request('eth_getBlockByNumber', ['latest', false])
  expect(Number(head?.number)).toBe(2)
  expect(Math.abs(Number(head?.timestamp) - clock.now() / 1000)).toBeLessThanOrEqual(2)
})

test('at five times the speed a block takes 400 ms, and its timestamps still rise', async () => {
  const { request, clock } = await createTestNode()
  await request('devnet_setSpeed', [5])
  await clock.advance(2_000)
  expect(await request('eth_blockNumber')).toBe('0x5')
})

test('a machine that slept seals the open block and carries on, without replaying the ticks it missed', async () => {
  const { request, clock } = await createTestNode()
  await clock.advance(500)
  clock.jump(3_600_000)
  await clock.advance(0)
  expect(await request('eth_blockNumber')).toBe('0x1')
  await clock.advance(2_000)
  expect(await request('eth_blockNumber')).toBe('0x2')
})

test('with a manual clock two chains with one seed and the same transactions have the same hashes', async () => {
  const chain = async () => {
    const { request } = await createTestNode({ mode: 'manual', seed: 42 })
    await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
    await request('devnet_tick', [25])
    return request('eth_getBlockByNumber', ['latest', true])
  }
  const [one, two] = [await chain(), await chain()]
  expect(one?.number).toBe('0x2')
  expect(one).toEqual(two)
})

test('the faucet shows at pending at once and at latest after the seal', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const address = `0x${'ab'.repeat(20)}` as const
  expect(await request('devnet_faucet', [address, '0x64'])).toBe('0x64')
  expect(await request('eth_getBalance', [address, 'pending'])).toBe('0x64')
  expect(await request('eth_getBalance', [address, 'latest'])).toBe('0x0')
  await request('devnet_tick', [10])
  expect(await request('eth_getBalance', [address, 'latest'])).toBe('0x64')
})

test('events of a block’s last partial block precede its newHeads', async () => {
  const { request, notifications } = await createTestNode({ mode: 'manual' })
  const heads = await request('eth_subscribe', ['newHeads'])
  const partials = await request('eth_subscribe', ['newPartialBlocks'])
  await request('devnet_tick', [12])
  const seen = notifications.map(({ subscription, result }) =>
    subscription === heads
      ? `head ${(result as { number: string }).number}`
      : `${(result as { metadata: { blockNumber: string } }).metadata.blockNumber}:${(result as { index: number }).index}`,
  )
  expect(partials).not.toBe(heads)
  expect(seen).toEqual([...Array.from({ length: 9 }, (_, i) => `0x1:${i + 1}`), 'head 0x1', '0x2:0', '0x2:1', '0x2:2'])
})

test('the timeline of a transaction has each stage with its time', async () => {
  const { request, clock } = await createTestNode()
  const received = clock.now()
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await clock.advance(2_000)
  const timeline = await request('devnet_getTransactionTimeline', [hash])
  expect(timeline?.events).toMatchObject([
    { kind: 'received', atMs: received },
    { kind: 'preconfirmed', atMs: received + 200, blockNumber: '0x1', index: 1, status: 'success' },
    { kind: 'sealed', atMs: received + 2_000, blockNumber: '0x1' },
  ])
})

test('a call at pending sees the state and the block number of the live block', async () => {
  const { request, clock } = await createTestNode()
  // NUMBER, BALANCE(0xff…9's account): MSTORE both and return 64 bytes.
  const target = devAccount(9).address.slice(2).toLowerCase()
  const code = `0x4360005273${target}3160205260406000f3`
  await request('eth_sendRawTransaction', [await signTransfer(0, 0, { value: 7n })])
  await clock.advance(200)
  const call = { data: code }
  const [pending, latest] = [await request('eth_call', [call, 'pending']), await request('eth_call', [call, 'latest'])]
  const base = 10_000n * 10n ** 18n
  expect([BigInt(pending.slice(0, 66)), BigInt(`0x${pending.slice(66)}`)]).toEqual([1n, base + 7n])
  expect([BigInt(latest.slice(0, 66)), BigInt(`0x${latest.slice(66)}`)]).toEqual([0n, base])
})
