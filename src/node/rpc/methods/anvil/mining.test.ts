import { expect, test } from 'vitest'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { createNode } from '../../../node.ts'

/** Time passes with every look at it, as on a machine that has much to do. */
class BusyClock extends FakeClock {
  override now(): number {
    this.jump(1)
    return super.now()
  }
}

async function createBusyNode(options: NodeOptions) {
  const clock = new BusyClock()
  const node = await createNode(options, { clock, log: () => undefined })
  const connection = node.connect()
  const send = async (method: string, params: readonly unknown[] = [], caller = { gone: false }) =>
    JSON.parse((await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), caller)) ?? '') as {
      result?: unknown
    }
  const request = async (method: string, params?: readonly unknown[]) => (await send(method, params)).result
  return { clock, request, send }
}

test("a block mined on request takes all transactions that are ready, even if that takes many ticks' worth of gas", async () => {
  const { request } = await createBusyNode({ mode: 'manual', tickBudgetMs: 20 })
  for (let nonce = 0; nonce < 40; nonce++) await request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  await request('evm_mine')
  expect(await request('eth_getBlockTransactionCountByNumber', ['latest'])).toBe('0x28')
  expect(await request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
})

test('many blocks hold up neither other calls nor the clock, and end when their caller has gone', async () => {
  const { request, send } = await createBusyNode({ mode: 'manual' })
  const caller = { gone: false }
  const mined = send('hardhat_mine', ['0x186a0'], caller)
  // The two calls need the chain for themselves, and have their turn.
  expect(await request('evm_snapshot')).toBe('0x1')
  await request('anvil_setBalance', [`0x${'77'.repeat(20)}`, '0x5'])
  expect(await request('eth_getBalance', [`0x${'77'.repeat(20)}`, 'latest'])).toBe('0x5')
  caller.gone = true
  await mined
  const height = Number(await request('eth_blockNumber'))
  expect(height).toBeGreaterThan(1)
  expect(height).toBeLessThan(1_000)
  await request('devnet_tick')
  expect(Number(await request('eth_blockNumber'))).toBe(height)
})

test('blocks that are mined in more than one go are still as far apart as asked', async () => {
  const { request } = await createBusyNode({ mode: 'manual' })
  expect(await request('hardhat_mine', ['0x64', '0x3c'])).toBe(true)
  expect(await request('eth_blockNumber')).toBe('0x64')
  const blocks = await Promise.all(
    Array.from({ length: 100 }, (_, i) => request('eth_getBlockByNumber', [`0x${(i + 1).toString(16)}`, false])),
  )
  const times = blocks.map((block) => Number((block as { timestamp: string }).timestamp))
  expect(new Set(times.slice(1).map((time, i) => time - (times[i] ?? 0)))).toEqual(new Set([60]))
})

test('more than 10,000 blocks are mined by one call while others are answered', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  let mined = false
  const mining = request('hardhat_mine', ['0x2af8']).then(() => {
    mined = true
  })
  expect(await request('eth_chainId')).toBe('0x7a69')
  expect(mined).toBe(false)
  await mining
  expect(await request('eth_blockNumber')).toBe('0x2af8')
  await expect(request('anvil_mine', ['0x186a1'])).rejects.toMatchObject({
    error: {
      code: -32602,
      message: 'invalid argument 0: 100001 blocks are too many for one call, mine at most 100000 at a time',
    },
  })
})
