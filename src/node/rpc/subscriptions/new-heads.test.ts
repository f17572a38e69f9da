import { expect, test } from 'vitest'
import type { NewHeads } from '#rpc-types/connection.ts'
import type { JsonRpcNotification, JsonRpcSuccess } from '#rpc-types/envelope.ts'
import type { RpcHeader } from '#rpc-types/objects.ts'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'

/** The heads that a connection gets, as they come. */
async function watch({ node }: TestNode, newHeads?: NewHeads): Promise<readonly RpcHeader[]> {
  const heads: RpcHeader[] = []
  const push = (body: string) => void heads.push((JSON.parse(body) as JsonRpcNotification).params.result as RpcHeader)
  const connection = node.connect(push, newHeads ? { newHeads } : {})
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })
  const { result } = JSON.parse((await connection.handle(body)) ?? '') as JsonRpcSuccess
  expect(result).toMatch(/^0x/)
  return heads
}

test('a connection that asks for it gets a head for each partial block, the last of which is the sealed block’s', async () => {
  const node = await createTestNode({ mode: 'manual', partialsPerBlock: 3 })
  const [partial, sealed, usual] = [await watch(node, 'partial'), await watch(node, 'sealed'), await watch(node)]
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('devnet_tick', [6])
  expect(partial.map(({ number }) => number)).toEqual(['0x1', '0x1', '0x2', '0x2', '0x2', '0x3'])
  expect(partial.map(({ gasUsed }) => gasUsed)).toEqual(['0x5208', '0x5208', '0x0', '0x0', '0x0', '0x0'])
  // The first partial block of block 1 was there before.
  expect(sealed.map(({ number }) => number)).toEqual(['0x1', '0x2'])
  expect(usual).toEqual(sealed)
  expect([partial[1], partial[4]]).toEqual(sealed)
})

test('with automine each block is one head', async () => {
  const node = await createTestNode({ mode: 'manual' })
  await node.request('evm_setAutomine', [true])
  const heads = await watch(node, 'partial')
  for (const nonce of [0, 1]) await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  const head = await node.request('eth_getBlockByNumber', ['latest', false])
  expect(new Set(heads.map(({ hash }) => hash)).size).toBe(heads.length)
  expect(heads.map(({ hash }) => hash)).toContain(head?.hash)
})

test('blocks that a revert brings back are heads again', async () => {
  const node = await createTestNode({ mode: 'manual' })
  await node.request('devnet_seal', [2])
  const id = await node.request('evm_snapshot')
  await node.request('devnet_seal', [2])
  const restored = await node.request('eth_getBlockByNumber', ['0x2', false])
  await node.request('devnet_reorg', [3])
  const heads = await watch(node, 'partial')
  await node.request('evm_revert', [id])
  expect(heads.map(({ hash }) => hash)).toContain(restored?.hash)
})
