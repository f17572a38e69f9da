import { afterEach, expect, test, vi } from 'vitest'
import { parseFork } from '#client/session/remote-endpoint.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { askOver } from '#transport/port/ask-port.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { type BootRequest, serveHost } from '#transport/port/serve-host.ts'
import type { WorkerLike } from '#transport/port/worker-handle.ts'
import { openForkSession } from './fork-session.ts'

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

/** A page whose worker asks the other chain for its id before it runs, on this thread. */
function setUp({ agreed = false, methods = {} }: { agreed?: boolean; methods?: Record<string, FakeMethod> } = {}) {
  const asked: string[] = []
  const closed: number[] = []
  const requests: BootRequest[] = []
  let connections = 0
  const startWorker = (): WorkerLike => {
    const { port1, port2 } = new MessageChannel()
    ended.push(() => port1.close())
    serveHost(gatherPort(port1), async (_options, request) => {
      requests.push(request)
      request.tell({ kind: 'leads', epoch: 1, storage: { kind: 'journal' } })
      const { fork } = request
      if (!fork) throw new Error('the worker has nobody to ask')
      const chainId = await askOver(gatherPort(fork.port))('eth_chainId', [])
      return new FakeEndpoint({ eth_chainId: () => chainId, eth_accounts: () => [], ...methods })
    })
    return Object.assign(port2 as MessagePort & { onerror: null }, { onerror: null, terminate: () => port2.close() })
  }
  const chain = parseFork('https://rpc.example/key@7')
  if (!chain.ok) throw new Error(chain.why)
  const session = openForkSession({}, chain, {
    agreed,
    startWorker,
    pageProtocol: 'https:',
    connect() {
      const mine = ++connections
      return {
        name: 'rpc.example',
        async ask(method) {
          asked.push(method)
          return '0x1'
        },
        close: () => void closed.push(mine),
      }
    },
  })
  return { session, asked, closed, requests }
}

test('nothing is asked of an endpoint that an address names until a person agrees', async () => {
  const { session, asked, requests } = setUp()
  await new Promise((later) => setTimeout(later, 5))
  // Other tabs may run the same fork: this one has no part in it yet.
  expect(requests).toEqual([])
  expect(asked).toEqual([])
  expect(session.state.get()).toEqual({ status: 'starting' })

  session.fork.agree()
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  expect(requests[0]).toMatchObject({
    chainName: expect.stringMatching(/fork-[0-9a-f]{24}$/) as unknown,
    fork: { name: 'rpc.example', blockNumber: 7 },
  })
  expect(await session.provider.request({ method: 'eth_chainId' })).toBe('0x1')
  expect(asked).toEqual(['eth_chainId'])
  await vi.waitFor(() => expect(session.state.get().status).toBe('ready'))
})

test('a restart asks again for a fresh worker, and nothing more for the one before', async () => {
  const { session, closed, requests } = setUp({ agreed: true })
  await vi.waitFor(() => expect(session.state.get().status).toBe('ready'))
  session.restart()
  await vi.waitFor(() => expect(session.state.get().status).toBe('ready'))
  expect(requests).toHaveLength(2)
  expect(closed).toEqual([1])
  session.close()
  expect(closed).toEqual([1, 2])
})

test('what the other chain says of its past is checked before the page reads it', async () => {
  const { session } = setUp({ agreed: true, methods: { eth_getBlockByNumber: () => ({ hash: 7 }) } })
  await expect(
    session.provider.request({ method: 'eth_getBlockByNumber', params: ['0x1', false] }),
  ).rejects.toMatchObject({ message: expect.stringContaining('eth_getBlockByNumber is invalid') as unknown })
})
