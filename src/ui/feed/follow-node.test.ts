import { beforeEach, expect, test, vi } from 'vitest'
import { type ConnectionState, createObservable } from '#client/session/connection-state.ts'
import { createProvider } from '#client/session/provider.ts'
import type { NodeSession } from '#client/session/session.ts'
import { type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { followNode } from './follow-node.ts'
import { commitFeed, liveFeed } from './store.ts'

vi.hoisted(() => vi.stubGlobal('document', { hidden: false, addEventListener() {}, removeEventListener() {} }))

const STATUS = {
  live: { transactionsByPartial: [0], nextTickAtMs: 1_100 },
  chainTimeMs: 1_000,
  partialMs: 200,
  speed: 1,
}

/** A session whose node answers once it is there, until it is gone. */
function sessionOf(genesis: Hash) {
  const state = createObservable<ConnectionState>({ status: 'starting' })
  const node = { genesis, gone: false }
  let arrive = () => {}
  const there = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const block = (number: number, hash: Hash) => ({
    number: toQuantity(number),
    hash,
    gasUsed: '0x0',
    gasLimit: '0x1000',
    baseFeePerGas: '0x7',
    timestamp: '0x1',
    transactions: [],
  })
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_subscribe: ([kind]) => `0x${String(kind).length.toString(16)}`,
    eth_unsubscribe: () => true,
    eth_getBlockByNumber: ([number]) => (number === 'pending' ? block(1, toWord(99)) : block(0, node.genesis)),
    eth_getBlockReceipts: () => [],
    devnet_status: () => STATUS,
    txpool_status: () => ({ pending: '0x0', queued: '0x0' }),
  }
  const asked: string[] = []
  const { provider } = createProvider(async (body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest
    asked.push(method)
    await there
    const error = { code: ERROR_CODES.disconnected, message: 'its tab was closed' }
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      ...(node.gone ? { error } : { result: answers[method]?.(params ?? []) }),
    })
  })
  const ready = () => state.set({ status: 'ready', role: { kind: 'leads', epoch: 1, storage: { kind: 'journal' } } })
  const session: NodeSession = { provider, state, options: () => ({}), restart() {}, close() {} }
  const crash = () => state.set({ status: 'crashed', message: 'the stored chain is damaged' })
  return { session, node, arrive: () => arrive(), ready, crash, asked }
}

const ignore = () => {}
const shown = () => liveFeed.getState().sealed[0]?.hash
/** Lets everything run that does not wait for time to pass. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

beforeEach(() => commitFeed([{ kind: 'reset' }]))

test('a node is asked for its first state before it runs, so that the state is there with the news that it runs', async () => {
  const { session, arrive, ready, asked } = sessionOf(toWord(1))
  const stop = followNode(session, ignore, ignore)
  expect(asked).toContain('devnet_status')
  arrive()
  await settle()
  expect([shown(), liveFeed.getState().live?.number]).toEqual([toWord(1), 1])
  const before = asked.length
  ready()
  await settle()
  // Only whether it is still the chain that answered.
  expect(asked.slice(before)).toEqual(['eth_getBlockByNumber'])
  stop()
  expect(shown()).toBeUndefined()
})

test('if the node that was asked before it ran is gone, the next one is asked', async () => {
  const { session, node, arrive, ready } = sessionOf(toWord(1))
  followNode(session, ignore, ignore)
  node.gone = true
  arrive()
  await settle()
  expect(shown()).toBeUndefined()
  node.gone = false
  ready()
  await settle()
  expect(shown()).toBe(toWord(1))
})

test('if another chain runs than the one that answered before, everything starts over', async () => {
  const { session, node, arrive, ready } = sessionOf(toWord(1))
  const onNewChain = vi.fn<() => void>()
  followNode(session, onNewChain, ignore)
  arrive()
  await settle()
  node.genesis = toWord(2)
  ready()
  await settle()
  expect(onNewChain).toHaveBeenCalledOnce()
  expect(shown()).toBe(toWord(2))
})

test('a node that cannot start leaves nothing behind', async () => {
  const { session, node, arrive, crash } = sessionOf(toWord(1))
  followNode(session, ignore, ignore)
  arrive()
  await settle()
  expect(shown()).toBe(toWord(1))
  node.gone = true
  crash()
  await settle()
  expect(shown()).toBeUndefined()
})
