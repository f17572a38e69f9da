import { expect, test } from 'vitest'
import { FakeClock } from '#primitives/fake-clock.ts'
import { createNode } from '../../node.ts'
import { signTransfer } from '../../testing/test-node.ts'

/** Time passes with every look at it, as on a machine that has much to do. */
class BusyClock extends FakeClock {
  override now(): number {
    this.jump(1)
    return super.now()
  }
}

test('a block that is asked for takes all that is ready, however many ticks that would have needed', async () => {
  const clock = new BusyClock()
  const node = await createNode({ mode: 'manual', tickBudgetMs: 20 }, { clock, log: () => undefined })
  const connection = node.connect()
  const request = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    const answer = await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    return (JSON.parse(answer ?? '') as { result: unknown }).result
  }
  for (let nonce = 0; nonce < 40; nonce++) await request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  await request('evm_mine')
  expect(await request('eth_getBlockTransactionCountByNumber', ['latest'])).toBe('0x28')
  expect(await request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
})
