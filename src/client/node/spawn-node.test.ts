import { afterEach, expect, test, vi } from 'vitest'
import { createDevTools } from '#client/session/dev-tools.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { type BootRequest, type NodeHost, serveHost } from '#transport/port/serve-host.ts'
import type { WorkerLike } from '#transport/port/worker-handle.ts'
import { spawnNode } from './spawn-node.ts'

/** A worker on this thread: a real host on a real channel. */
interface FakeWorker extends WorkerLike {
  readonly host: NodeHost
  readonly options: NodeOptions[]
  /** The boot requests for the shared chain. */
  readonly requests: BootRequest[]
  terminated: boolean
}

const workers: FakeWorker[] = []

function startFakeWorker(methods: Record<string, FakeMethod> = {}): FakeWorker {
  const { port1, port2 } = new MessageChannel()
  const options: NodeOptions[] = []
  const requests: BootRequest[] = []
  const host = serveHost(gatherPort(port1), async (given, request) => {
    options.push(given)
    requests.push(request)
    return new FakeEndpoint({ eth_chainId: () => '0x7a69', eth_accounts: () => [], ...methods })
  })
  const worker: FakeWorker = Object.assign(port2 as MessagePort & { onerror: null }, {
    host,
    options,
    requests,
    onerror: null,
    terminated: false,
    terminate() {
      worker.terminated = true
      port2.close()
    },
  })
  workers.push(worker)
  return worker
}

const latest = () => workers.at(-1) as FakeWorker
const ready = (session: ReturnType<typeof spawnNode>) =>
  vi.waitFor(() => expect(session.state.get()).toEqual({ status: 'ready' }))

afterEach(() => {
  for (const worker of workers.splice(0)) worker.terminate()
})

test('the session changes from starting to ready, and calls made meanwhile are answered', async () => {
  const session = spawnNode({ seed: 3 }, undefined, startFakeWorker)
  expect(session.state.get()).toEqual({ status: 'starting' })
  expect(await session.provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  await ready(session)
  expect(latest().options).toEqual([{ seed: 3 }])
})

test('a worker that throws ends every pending call with 4900, and the state has the reason', async () => {
  const session = spawnNode({}, undefined, startFakeWorker)
  const disconnects: number[] = []
  session.provider.on('disconnect', ({ code }) => disconnects.push(code))
  await ready(session)
  const pending = session.provider.request({ method: 'eth_blockNumber' })
  latest().host.fail(new Error('a bug'))
  await expect(pending).rejects.toMatchObject({ code: 4900, message: 'The node is gone: a bug' })
  expect(session.state.get()).toEqual({ status: 'crashed', message: 'a bug' })
  expect(latest().terminated).toBe(true)
  expect(disconnects).toEqual([4900])
  await expect(session.provider.request({ method: 'eth_blockNumber' })).rejects.toMatchObject({ code: 4900 })
})

test('an error event without a message means that loading the worker failed', async () => {
  const session = spawnNode({}, undefined, startFakeWorker)
  const pending = session.provider.request({ method: 'eth_chainId' })
  latest().onerror?.({} as never)
  await expect(pending).rejects.toMatchObject({ code: 4900 })
  expect(session.state.get()).toEqual({ status: 'crashed', message: 'the worker could not be loaded' })
})

test('an unreadable message is a crash', async () => {
  const session = spawnNode({}, undefined, startFakeWorker)
  await ready(session)
  const pending = session.provider.request({ method: 'eth_blockNumber' })
  latest().onmessageerror?.({} as never)
  await expect(pending).rejects.toMatchObject({ code: 4900 })
  expect(session.state.get().status).toBe('crashed')
})

test('a worker that cannot be started is a crash, not an exception', async () => {
  const session = spawnNode({}, undefined, () => {
    throw new Error('blocked by the policy')
  })
  expect(session.state.get()).toEqual({
    status: 'crashed',
    message: 'the worker could not be started: blocked by the policy',
  })
  await expect(session.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
})

test('a restart after a crash gives the same provider a fresh node, optionally with other options', async () => {
  const session = spawnNode({ seed: 1 }, undefined, startFakeWorker)
  await ready(session)
  latest().host.fail('broken')
  await vi.waitFor(() => expect(session.state.get().status).toBe('crashed'))
  const connects: string[] = []
  session.provider.on('connect', ({ chainId }) => connects.push(chainId))
  session.restart({ seed: 2 })
  expect(session.state.get()).toEqual({ status: 'starting' })
  await ready(session)
  expect(workers).toHaveLength(2)
  expect(latest().options).toEqual([{ seed: 2 }])
  expect(session.options()).toEqual({ seed: 2 })
  expect(connects).toEqual(['0x7a69'])
})

test('a restart of a running node ends its calls and its worker, and does not count as a crash', async () => {
  const session = spawnNode({}, undefined, startFakeWorker)
  await ready(session)
  const seen: string[] = []
  session.state.subscribe(() => seen.push(session.state.get().status))
  const first = latest()
  const pending = session.provider.request({ method: 'eth_blockNumber' })
  session.restart()
  await expect(pending).rejects.toMatchObject({ code: 4900, message: 'The node is gone: the node was restarted' })
  expect(first.terminated).toBe(true)
  await ready(session)
  expect(seen).toEqual(['starting', 'ready'])
})

test('a node that does not answer eth_chainId counts as crashed', async () => {
  const session = spawnNode({}, undefined, () =>
    startFakeWorker({ eth_chainId: () => ({ error: { code: -32603, message: 'internal error' } }) }),
  )
  await vi.waitFor(() =>
    expect(session.state.get()).toEqual({
      status: 'crashed',
      message: 'the node does not answer: internal error',
    }),
  )
})

test('the page knows which tab runs a shared chain, and notices when it moves; only changes are announced', async () => {
  let chainId = '0x7a69'
  const session = spawnNode({}, 'shop', () => startFakeWorker({ eth_chainId: () => chainId }))
  await vi.waitFor(() => expect(latest().requests.map(({ chainName }) => chainName)).toEqual(['blinknet:/:shop']))
  expect(session.state.get()).toEqual({ status: 'starting' })
  const [request] = latest().requests
  const events: string[] = []
  session.provider.on('connect', () => events.push('connect'))
  session.provider.on('chainChanged', (id) => events.push(`chainChanged ${id}`))
  const follows = { kind: 'follows', epoch: 1, storage: { kind: 'journal' } } as const
  request?.tell(follows)
  await vi.waitFor(() => expect(session.state.get()).toEqual({ status: 'ready', role: follows }))
  request?.tell({ kind: 'waits' })
  await vi.waitFor(() => expect(session.state.get()).toEqual({ status: 'ready', role: { kind: 'waits' } }))
  chainId = '0x1'
  const leads = { kind: 'leads', epoch: 2, storage: { kind: 'memory', reason: 'no room' } } as const
  request?.tell(leads)
  await vi.waitFor(() => expect(session.state.get()).toEqual({ status: 'ready', role: leads }))
  expect(events).toEqual(['connect', 'chainChanged 0x1'])
})

test('a leading tab of another version is named, until another tab runs the chain', async () => {
  const session = spawnNode({}, 'main', startFakeWorker)
  await vi.waitFor(() => expect(latest().requests).toHaveLength(1))
  const [request] = latest().requests
  request?.tell({ kind: 'blocked', message: 'another version' })
  await vi.waitFor(() => expect(session.state.get()).toEqual({ status: 'blocked', message: 'another version' }))
  const leads = { kind: 'leads', epoch: 2, storage: { kind: 'journal' } } as const
  request?.tell(leads)
  await vi.waitFor(() => expect(session.state.get()).toEqual({ status: 'ready', role: leads }))
})

test('a page in the back/forward cache ends its worker, and a fresh worker serves the same provider when the page returns', async () => {
  const session = spawnNode({ seed: 3 }, 'main', startFakeWorker)
  const leads = { kind: 'leads', epoch: 1, storage: { kind: 'journal' } } as const
  await vi.waitFor(() => expect(latest().requests).toHaveLength(1))
  latest().requests[0]?.tell(leads)
  await vi.waitFor(() => expect(session.state.get()).toEqual({ status: 'ready', role: leads }))
  const first = latest()
  const events: string[] = []
  session.provider.on('connect', () => events.push('connect'))
  session.provider.on('disconnect', ({ code }) => events.push(`disconnect ${code}`))
  const pending = session.provider.request({ method: 'eth_blockNumber' })

  session.putAside()
  expect(first.terminated).toBe(true)
  await expect(pending).rejects.toMatchObject({
    code: 4900,
    message: 'The node is gone: the browser has put this page aside',
  })
  expect(session.state.get()).toEqual({ status: 'ready', role: { kind: 'waits' } })

  session.comeBack()
  expect(latest()).not.toBe(first)
  await vi.waitFor(() => expect(latest().requests).toHaveLength(1))
  latest().requests[0]?.tell({ ...leads, epoch: 2 })
  await vi.waitFor(() => expect(session.state.get()).toEqual({ status: 'ready', role: { ...leads, epoch: 2 } }))
  // Subscriptions ended with the worker; their owners subscribe again.
  expect(events).toEqual(['disconnect 4900', 'connect'])
  expect(await session.provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  expect(latest().options).toEqual([{ seed: 3 }])
})

test('a chain in memory survives the back/forward cache', async () => {
  const session = spawnNode({}, undefined, startFakeWorker)
  await ready(session)
  session.putAside()
  expect(latest().terminated).toBe(false)
  session.comeBack()
  expect(workers).toHaveLength(1)
  expect(await session.provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
})

test('devnet.ready resolves when the node runs and rejects when it cannot', async () => {
  await expect(createDevTools(spawnNode({}, undefined, startFakeWorker)).ready).resolves.toBeUndefined()
  const broken = spawnNode({}, undefined, startFakeWorker)
  latest().onerror?.({ message: 'no module' } as never)
  await expect(createDevTools(broken).ready).rejects.toThrow('no module')
})
