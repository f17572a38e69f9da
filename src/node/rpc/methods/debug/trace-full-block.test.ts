import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'

const COUNT = 500
const LOOP: Hex = `0x${'c2'.repeat(20)}`
/** Counts down from 1,500, with some 39,000 gas. */
const COUNT_DOWN = '0x6105dc5b600190038060035700'

/** A clock on which work takes time: each look at it costs half a millisecond, and timers that are due run when the thread is yielded. */
class BusyClock extends FakeClock {
  override now(): number {
    this.jump(0.5)
    return super.now()
  }

  override yield(): Promise<void> {
    return this.advance(0)
  }
}

/** A node whose block 1 has {@link COUNT} transactions with 30 million gas together. */
async function withFullBlock(): Promise<TestNode> {
  const clock = new BusyClock()
  const node = await createTestNode({}, { clock })
  await node.request('anvil_setCode', [LOOP, COUNT_DOWN])
  const before = Number(await node.request('eth_blockNumber'))
  const senders = Array.from({ length: 10 }, (_, i) => devAccount(i).address)
  for (let i = 0; i < COUNT; i++) {
    await node.request('eth_sendTransaction', [{ from: senders[i % senders.length], to: LOOP, gas: '0xf230' }])
  }
  while (Number(await node.request('eth_blockNumber')) < before + 3) await clock.advance(200)
  return node
}

/** The number of the block with all transactions. */
async function fullBlock({ request }: TestNode): Promise<Hex> {
  const head = Number(await request('eth_blockNumber'))
  for (let number = head; number > 0; number--) {
    const block = await request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    if (block?.transactions.length === COUNT && Number(block.gasUsed) > 30e6) return block.number
  }
  throw new Error('no block has all transactions')
}

/** Traces the block, and tells how many ticks there were meanwhile. */
async function trace(node: TestNode, number: Hex, config: object): Promise<{ answer: JsonRpcResponse; ticks: number }> {
  const ticked = async () => {
    const { live, partialsPerBlock } = await node.request('devnet_status')
    return Number(live.number) * partialsPerBlock + live.index
  }
  const before = await ticked()
  const params = [number, config]
  const text = await node.raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'debug_traceBlockByNumber', params }))
  return { answer: JSON.parse(text ?? '') as JsonRpcResponse, ticks: (await ticked()) - before }
}

test('while a block of 500 transactions and 30 million gas is traced, ticks go on, and the trace has a bound', async () => {
  const node = await withFullBlock()
  const number = await fullBlock(node)
  const calls = await trace(node, number, { tracer: 'callTracer', timeout: '60s' })
  expect(calls.answer).toHaveProperty('result.length', COUNT)
  expect(calls.ticks).toBeGreaterThan(0)
  const steps = await trace(node, number, { timeout: '60s' })
  expect(steps.answer).toMatchObject({
    error: { code: -32000, message: 'trace is too large: more than 134217728 characters' },
  })
  expect(steps.ticks).toBeGreaterThan(0)
})
