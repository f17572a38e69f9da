import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { runsOf } from '#testing/primitives/runs.ts'

const manual = () => createTestNode({ mode: 'manual' })
const timestampOf = async ({ request }: TestNode, tag: string) =>
  Number((await request('eth_getBlockByNumber', [tag, false]))?.timestamp)

test('the next block has the timestamp that was set, and time goes on from there', async () => {
  const node = await createTestNode()
  const { request, clock } = node
  const target = (await timestampOf(node, 'latest')) + 86_400
  expect(await request('evm_setNextBlockTimestamp', [target])).toBeNull()
  expect(await timestampOf(node, 'pending')).toBe(target)
  await clock.advance(2_000)
  expect(await timestampOf(node, 'latest')).toBe(target)
  await clock.advance(2_000)
  expect(await timestampOf(node, 'latest')).toBe(target + 2)
})

test("a timestamp not after the parent's is refused", async () => {
  const node = await manual()
  const latest = await timestampOf(node, 'latest')
  await expect(node.request('evm_setNextBlockTimestamp', [latest])).rejects.toMatchObject({
    error: {
      code: -32602,
      message: `Timestamp error: ${latest} is lower than or equal to previous block's timestamp ${latest}`,
    },
  })
  await node.request('evm_setNextBlockTimestamp', [latest + 1])
  expect(await timestampOf(node, 'pending')).toBe(latest + 1)
})

test('a live block with transactions is sealed as it is before another header is opened', async () => {
  const node = await manual()
  const { request } = node
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_tick')
  const before = await request('eth_getBlockByNumber', ['pending', false])
  await request('evm_setNextBlockTimestamp', [Number(before?.timestamp) + 50])
  expect(await request('eth_getBlockByNumber', ['latest', false])).toEqual(before)
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockHash: before?.hash })
  expect(await timestampOf(node, 'pending')).toBe(Number(before?.timestamp) + 50)
  await expect(request('evm_setNextBlockTimestamp', [Number(before?.timestamp)])).rejects.toThrow('Timestamp error')
})

test('an edit of the live block survives time travel', async () => {
  const { request } = await manual()
  const address = `0x${'31'.repeat(20)}`
  await request('devnet_faucet', [address, '0x5'])
  await request('evm_increaseTime', [100])
  expect(await request('eth_getBalance', [address, 'latest'])).toBe('0x5')
  expect(await request('eth_blockNumber')).toBe('0x1')
})

test('overrides for the next block add up, in any order', async () => {
  const node = await manual()
  const { request } = node
  const target = (await timestampOf(node, 'latest')) + 1_000
  const randao = `0x${'ab'.repeat(32)}`
  await request('evm_setNextBlockTimestamp', [target])
  await request('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca07'])
  await request('hardhat_setPrevRandao', [randao])
  await request('evm_mine')
  expect(await request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
    timestamp: `0x${target.toString(16)}`,
    baseFeePerGas: '0x3b9aca07',
    mixHash: randao,
  })
  await request('evm_mine')
  const next = await request('eth_getBlockByNumber', ['latest', false])
  expect(next?.mixHash).not.toBe(randao)
  expect(Number(next?.baseFeePerGas)).toBeLessThan(0x3b9aca07)
})

test('evm_increaseTime moves the next block’s timestamp by that much, in any state of the chain', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ seconds: fc.integer({ min: 0, max: 30 }), ticks: fc.integer({ min: 0, max: 13 }) }), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.boolean(),
      async (steps, auto) => {
        const node = await createTestNode({ mode: auto ? 'auto' : 'manual' })
        let nonce = 0
        for (const { seconds, ticks } of steps) {
          if (ticks % 2 === 1) await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce++)])
          if (auto) await node.clock.advance(ticks * 170)
          else if (ticks > 0) await node.request('devnet_tick', [ticks])
          const before = await timestampOf(node, 'latest')
          await node.request('evm_increaseTime', [seconds])
          expect(await timestampOf(node, 'pending')).toBeGreaterThanOrEqual(before + seconds)
        }
      },
    ),
    { numRuns: runsOf(60) },
  )
})

test('evm_increaseTime answers the total of all seconds travelled', async () => {
  const { request } = await createTestNode()
  expect(await request('evm_increaseTime', [60])).toBe('0x3c')
  expect(await request('anvil_increaseTime', ['0x3c'])).toBe('0x78')
})

test('time is set to a moment in seconds or milliseconds, and never back', async () => {
  const node = await createTestNode()
  const { request } = node
  const now = Math.floor(node.clock.now() / 1000)
  expect(await request('evm_setTime', [now + 100])).toBe('0x64')
  expect(await request('anvil_setTime', [(now + 150) * 1000])).toBe('0x32')
  expect(await timestampOf(node, 'pending')).toBe(now + 152)
  await expect(request('evm_setTime', [now])).rejects.toMatchObject({ error: { code: -32602 } })
})

test('every method that takes a moment takes it in seconds or in milliseconds', async () => {
  const node = await createTestNode()
  const { request } = node
  let at = (await timestampOf(node, 'pending')) + 1_000
  const set = {
    evm_setTime: (ms: number) => request('evm_setTime', [ms]),
    anvil_setTime: (ms: number) => request('anvil_setTime', [ms]),
    evm_setNextBlockTimestamp: (ms: number) => request('evm_setNextBlockTimestamp', [ms]),
    anvil_setNextBlockTimestamp: (ms: number) => request('anvil_setNextBlockTimestamp', [`0x${ms.toString(16)}`]),
    evm_mine: (ms: number) => request('evm_mine', [ms]),
    'evm_mine, by name': (ms: number) => request('evm_mine', [{ timestamp: ms }]),
  }
  for (const [name, method] of Object.entries(set)) {
    at += 1_000
    await method(at * 1000)
    const pending = await timestampOf(node, 'pending')
    expect(pending, name).toBeGreaterThanOrEqual(at)
    expect(pending, name).toBeLessThanOrEqual(at + 2)
  }
  // Contracts keep times in 40 bits: seconds, although far.
  await request('evm_setNextBlockTimestamp', [2 ** 40 - 1])
  expect(await timestampOf(node, 'pending')).toBe(2 ** 40 - 1)
})

test('a moment in block overrides, and of block 0, is the same in milliseconds', async () => {
  const at = 1_800_000_000
  const { request } = await createTestNode({ mode: 'manual', genesisTimestamp: at * 1000 })
  expect(Number((await request('eth_getBlockByNumber', ['0x0', false]))?.timestamp)).toBe(at)
  // A contract that answers the time.
  const code = '0x4260005260206000f3'
  const to = `0x${'cd'.repeat(20)}` as const
  for (const time of [at + 5, (at + 5) * 1000]) {
    const overrides = { time: `0x${time.toString(16)}` } as const
    expect(Number(await request('eth_call', [{ to }, 'latest', { [to]: { code } }, overrides]))).toBe(at + 5)
    const [block] = await request('eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: overrides }] }])
    expect(Number(block?.timestamp)).toBe(at + 5)
  }
})

test('with an interval every timestamp is exactly that far after its parent’s, until it is removed', async () => {
  const node = await createTestNode()
  const { request, clock } = node
  await request('anvil_setBlockTimestampInterval', [7])
  const first = await timestampOf(node, 'latest')
  await clock.advance(6_000)
  expect(await timestampOf(node, 'latest')).toBe(first + 21)
  expect(await request('anvil_removeBlockTimestampInterval')).toBe(true)
  expect(await request('anvil_removeBlockTimestampInterval')).toBe(false)
  await clock.advance(2_000)
  expect(await timestampOf(node, 'latest')).toBe(first + 22)
})

test('mined blocks are as far apart as asked, and time continues from the last of them', async () => {
  const node = await createTestNode()
  const { request, clock } = node
  await request('hardhat_mine', ['0x5', '0x3c'])
  const times = await Promise.all(['0x1', '0x2', '0x3', '0x4', '0x5'].map((number) => timestampOf(node, number)))
  expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 60, 120, 180, 240])
  await clock.advance(2_000)
  expect(await timestampOf(node, 'latest')).toBe((times[4] ?? 0) + 2)
})

test('evm_mine takes a timestamp, or an object with one or with a number of blocks', async () => {
  const node = await manual()
  const { request } = node
  const target = (await timestampOf(node, 'latest')) + 500
  expect(await request('evm_mine', [target])).toBe('0x0')
  expect(await timestampOf(node, 'latest')).toBe(target)
  await request('evm_mine', [{ timestamp: target + 500 }])
  expect(await timestampOf(node, 'latest')).toBe(target + 500)
  await request('evm_mine', [{ blocks: 3 }])
  expect(await request('eth_blockNumber')).toBe('0x5')
})

test('gas limit and coinbase hold for every block from the next one on', async () => {
  const { request } = await manual()
  const coinbase = `0x${'c0'.repeat(20)}`
  expect(await request('evm_setBlockGasLimit', ['0x1c9c380'])).toBe(true)
  expect(await request('anvil_setCoinbase', [coinbase])).toBeNull()
  await request('evm_mine', [{ blocks: 2 }])
  for (const number of ['0x1', '0x2', 'pending']) {
    expect(await request('eth_getBlockByNumber', [number, false])).toMatchObject({
      gasLimit: '0x1c9c380',
      miner: coinbase,
    })
  }
  // As little as anvil and Hardhat take.
  for (const limit of [2_000_000, 5_000, 10_000_000]) {
    await request('anvil_setBlockGasLimit', [limit])
    await request('evm_mine')
    expect(Number((await request('eth_getBlockByNumber', ['pending', false]))?.gasLimit)).toBe(limit)
  }
  const big = await devAccount(0).signTransaction({
    type: 'legacy',
    chainId: 31337,
    gas: 10_000_001n,
    gasPrice: 10n ** 10n,
  })
  await expect(request('eth_sendRawTransaction', [big])).rejects.toMatchObject({
    error: { message: 'exceeds block gas limit' },
  })
})
