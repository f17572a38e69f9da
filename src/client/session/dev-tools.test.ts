import { expect, test, vi } from 'vitest'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { type ConnectionState, createObservable } from './connection-state.ts'
import { type DevTools, installDevTools } from './dev-tools.ts'
import { createProvider } from './provider.ts'
import type { NodeSession } from './session.ts'

const HASH = `0x${'ab'.repeat(32)}` as const
const RECEIVED: TimelineEvent = { kind: 'received', atMs: 1 }
const PRECONFIRMED: TimelineEvent = { kind: 'preconfirmed', atMs: 2, blockNumber: '0x1', index: 0, status: 'success' }
const SEALED: TimelineEvent = { kind: 'sealed', atMs: 3, blockNumber: '0x1', blockHash: HASH }

function setUp() {
  let timeline: TimelineEvent[] | undefined = [RECEIVED]
  let receiptBlock: string | undefined = `0x${'0'.repeat(64)}`
  let subscriptions = 0
  const open = new Set<unknown>()
  const endpoint = new FakeEndpoint({
    eth_subscribe: () => {
      const id = `0x${++subscriptions}`
      open.add(id)
      return id
    },
    eth_unsubscribe: ([id]) => open.delete(id),
    devnet_getTransactionTimeline: ([hash]) => timeline && { hash, events: timeline },
    eth_getTransactionReceipt: ([transactionHash]) => receiptBlock && { transactionHash, blockHash: receiptBlock },
    devnet_tick: ([n]) => ({ number: '0x2', index: n }),
    devnet_snapshot: () => '0x1',
    devnet_revert: ([id]) => id === '0x1',
    devnet_status: () => ({ partialsPerBlock: 10, live: { index: 3 } }),
  })
  const connection = endpoint.connect((body) => handle.receive(body))
  const handle = createProvider((body) => connection.handle(body))
  const session = {
    provider: handle.provider,
    state: createObservable<ConnectionState>({ status: 'ready' }),
  } as unknown as NodeSession
  const target: { devnet?: DevTools } = {}
  return {
    tools: installDevTools(session, target),
    session,
    handle,
    target,
    open,
    /** Adds events to the timeline and announces a partial block. */
    happen(...events: TimelineEvent[]) {
      timeline = [...(timeline ?? []), ...events]
      endpoint.notify('0x1', {})
    },
    forget(block?: string) {
      timeline = undefined
      receiptBlock = block
    },
    subscribed: () => vi.waitFor(() => expect(endpoint.received.at(-1)).toContain('devnet_getTransactionTimeline')),
  }
}

test('a snapshot is taken and restored', async () => {
  const { tools, target } = setUp()
  expect(target.devnet).toBe(tools)
  expect(await tools.snapshot()).toBe('0x1')
  expect(await tools.revert('0x1')).toBe(true)
  await expect(tools.revert('0x9')).rejects.toThrow('there is no snapshot 0x9')
})

test('seal runs exactly the remaining ticks of the live block', async () => {
  const { tools } = setUp()
  expect(await tools.seal()).toEqual({ number: '0x2', index: 7 })
  expect(await tools.tick()).toEqual({ number: '0x2', index: 1 })
})

test('waitFor returns the receipt when the stage is reached, and ends its subscriptions', async () => {
  const scene = setUp()
  const { tools, open } = scene
  const preconfirmed = tools.waitFor(HASH, 'preconfirmed')
  await scene.subscribed()
  scene.happen(PRECONFIRMED)
  expect(await preconfirmed).toMatchObject({ transactionHash: HASH })
  expect(open.size).toBe(0)
})

test('waitFor sealed does not stop at the pre-confirmation', async () => {
  const scene = setUp()
  const { tools } = scene
  let done = false
  const sealed = tools.waitFor(HASH, 'sealed').then(() => {
    done = true
  })
  await scene.subscribed()
  scene.happen(PRECONFIRMED)
  expect(await tools.waitFor(HASH, 'preconfirmed')).toMatchObject({ transactionHash: HASH })
  expect(done).toBe(false)
  scene.happen(SEALED)
  await sealed
})

test('waitFor finds a transaction sealed before a reload, for which the node has a receipt but no timeline', async () => {
  const scene = setUp()
  scene.forget(HASH)
  expect(await scene.tools.waitFor(HASH, 'sealed')).toMatchObject({ transactionHash: HASH, blockHash: HASH })
})

test('waitFor ends when the transaction is unknown, dropped, lost, replaced, or the node is gone', async () => {
  const unknown = setUp()
  unknown.forget()
  await expect(unknown.tools.waitFor(HASH, 'sealed')).rejects.toThrow('has never seen')

  const dropped = setUp()
  dropped.happen({ kind: 'dropped', atMs: 2, reason: 'txpool is full' })
  await expect(dropped.tools.waitFor(HASH, 'sealed')).rejects.toThrow('was dropped: txpool is full')

  const lost = setUp()
  lost.happen(PRECONFIRMED, { kind: 'withdrawn', atMs: 3, requeued: false })
  await expect(lost.tools.waitFor(HASH, 'sealed')).rejects.toThrow('was withdrawn and is lost')

  const requeued = setUp()
  const again = requeued.tools.waitFor(HASH, 'preconfirmed')
  requeued.happen(PRECONFIRMED, { kind: 'withdrawn', atMs: 3, requeued: true })
  await requeued.subscribed()
  requeued.happen(PRECONFIRMED)
  expect(await again).toMatchObject({ transactionHash: HASH })

  const replaced = setUp()
  replaced.happen({ kind: 'replaced', atMs: 2, by: '0xcc' })
  await expect(replaced.tools.waitFor(HASH, 'sealed')).rejects.toThrow('was replaced by 0xcc')

  const gone = setUp()
  const waiting = gone.tools.waitFor(HASH, 'sealed')
  await gone.subscribed()
  gone.handle.announceDisconnect('crashed')
  await expect(waiting).rejects.toMatchObject({ code: 4900, message: 'crashed' })
})
