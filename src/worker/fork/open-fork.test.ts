import { afterEach, expect, test } from 'vitest'
import { ask } from '#rpc-types/ask.ts'
import { createTestNode, devAccount, RpcError, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { serveAsk } from '#transport/port/ask-port.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { forkOf } from './open-fork.ts'

const MANUAL = { mode: 'manual' } as const
/** Reverts with the word 42. */
const REVERTING = '0x602a5f5260205ffd'
const contract = `0x${'51'.repeat(20)}` as const

const open: MessagePort[] = []
afterEach(() => {
  for (const port of open.splice(0)) port.close()
})

/** A worker's node that continues `original`, which only its page can ask. */
async function fork(
  original: TestNode,
  change: (method: string, answer: unknown) => unknown = (_method, same) => same,
) {
  const { port1, port2 } = new MessageChannel()
  open.push(port1)
  serveAsk(gatherPort(port1), async (method, params) => {
    try {
      return change(method, await original.requestLoosely(method as 'eth_call', params))
    } catch (error) {
      if (error instanceof RpcError) throw Object.assign(new Error('the endpoint refuses'), { answered: error.error })
      throw error
    }
  })
  const deps = { clock: new FakeClock(), log: () => {} }
  const create = forkOf({ port: port2, name: 'rpc.example', url: 'https://rpc.example/', blockNumber: undefined })
  return create(MANUAL, deps)
}

async function originalChain(): Promise<TestNode> {
  const original = await createTestNode({ ...MANUAL, genesis: { [contract]: { code: REVERTING } } })
  await original.request('eth_sendRawTransaction', [await signTransfer(0, 0, { value: 5n })])
  await original.request('devnet_tick', [30])
  return original
}

test('a worker continues a chain that only its page can ask', async () => {
  const original = await originalChain()
  const node = await fork(original)
  const { hash } = (await original.request('eth_getBlockByNumber', ['0x3', false])) ?? {}
  expect(await ask(node, 'devnet_status')).toMatchObject({
    fork: { endpoint: 'rpc.example', chainId: '0x7a69', number: '0x3', hash, isProven: true },
  })
  await ask(node, 'eth_sendRawTransaction', await signTransfer(0, 1, { to: contract.replaceAll('51', '52') as never }))
  await ask(node, 'devnet_tick', 10)
  expect(await ask(node, 'eth_getBalance', contract.replaceAll('51', '52'), 'latest')).toBe('0x1')
  expect(await ask(node, 'eth_getTransactionCount', devAccount(0).address, 'latest')).toBe('0x2')
  expect(await original.request('eth_getTransactionCount', [devAccount(0).address, 'latest'])).toBe('0x1')
})

test('what the endpoint answers with an error keeps its data through the page', async () => {
  const node = await fork(await originalChain())
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: contract }, '0x1'] }
  const { error } = JSON.parse((await node.connect().handle(JSON.stringify(call))) ?? '') as { error: object }
  expect(error).toMatchObject({ code: 3, data: `0x${'2a'.padStart(64, '0')}` })
})

test('an endpoint that lies is refused before the chain begins', async () => {
  const lying = fork(await originalChain(), (method, answer) => (method === 'eth_getCode' ? '0x6001' : answer))
  await expect(lying).rejects.toMatchObject({
    name: 'ForkError',
    message: expect.stringContaining('what rpc.example says of account') as unknown,
  })
})
