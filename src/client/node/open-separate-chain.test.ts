import { expect, test } from 'vitest'
import { parsedJson } from '#primitives/json-object.ts'
import { ask, askOn } from '#rpc-types/ask.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { serveHost } from '#transport/port/serve-host.ts'
import type { WorkerLike } from '#transport/port/worker-handle.ts'
import { openSeparateChain } from './open-separate-chain.ts'

/** A worker on this thread, whose node numbers its subscriptions and tells each at once, before its answer. */
function startWorker(boot: () => Promise<RpcLike> = async () => new Endpoint()) {
  const { port1, port2 } = new MessageChannel()
  serveHost(gatherPort(port1), boot)
  const worker = Object.assign(port2 as MessagePort & { onerror: null }, { onerror: null, ended: false, terminate })
  function terminate(): void {
    worker.ended = true
    port2.close()
  }
  return worker satisfies WorkerLike & { readonly ended: boolean }
}

type RpcLike = Pick<FakeEndpoint, 'connect'>

class Endpoint implements RpcLike {
  readonly unsubscribed: unknown[] = []
  #last = 0

  connect: FakeEndpoint['connect'] = (push) => ({
    handle: async (body) => {
      const message = parsedJson(body)
      const answers = [message].flat().map((call) => {
        const { id, method, params } = call as { id?: number; method: string; params: unknown[] }
        if (method === 'eth_unsubscribe') this.unsubscribed.push(params[0])
        if (method !== 'eth_subscribe') return { jsonrpc: '2.0', id, result: method }
        const subscription = `0x${++this.#last}`
        const told = { jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result: { of: params[0] } } }
        push?.(JSON.stringify(told))
        return { jsonrpc: '2.0', id, result: subscription }
      })
      return JSON.stringify(Array.isArray(message) ? answers : answers[0])
    },
    close() {},
  })
}

test('each connection is told of its own subscriptions alone, even if the node tells of them before it answers', async () => {
  const chain = await openSeparateChain({}, startWorker)
  const told: string[] = []
  const one = chain.node.connect((body) => told.push(`one ${body}`))
  const other = chain.node.connect((body) => told.push(`other ${body}`))
  expect(await askOn(one, 'eth_subscribe', 'a')).toBe('0x1')
  expect(await askOn(other, 'eth_subscribe', 'b')).toBe('0x2')
  expect(told).toEqual([expect.stringMatching(/^one .*"of":"a"/), expect.stringMatching(/^other .*"of":"b"/)])
  chain.close()
})

test('a connection that closes ends its subscriptions', async () => {
  const endpoint = new Endpoint()
  const chain = await openSeparateChain({}, () => startWorker(async () => endpoint))
  const connection = chain.node.connect(() => {})
  await askOn(connection, 'eth_subscribe', 'a')
  await askOn(connection, 'eth_subscribe', 'b')
  await askOn(connection, 'eth_unsubscribe', '0x1')
  connection.close()
  await ask(chain.node, 'eth_chainId')
  expect(endpoint.unsubscribed).toEqual(['0x1', '0x2'])
  chain.close()
})

test('a chain that is closed ends its worker and what waits', async () => {
  const worker = startWorker()
  const chain = await openSeparateChain({}, () => worker)
  const waiting = ask(chain.node, 'eth_chainId')
  chain.close()
  await expect(waiting).rejects.toThrow('the chain was closed')
  expect(worker.ended).toBe(true)
})

test('a worker or a node that does not start says why', async () => {
  const blocked = () => {
    throw new Error('no workers here')
  }
  await expect(openSeparateChain({}, blocked)).rejects.toThrow('the worker could not be started: no workers here')
  const worker = startWorker(() => Promise.reject(new Error('no such option')))
  await expect(openSeparateChain({}, () => worker)).rejects.toThrow('no such option')
  expect(worker.ended).toBe(true)
})
