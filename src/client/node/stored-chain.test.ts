import { afterEach, expect, test, vi } from 'vitest'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { connectPort, type DisconnectedError } from '#transport/port/connect-port.ts'
import { PROTOCOL } from '#transport/port/messages.ts'
import { type HostDeps, serveHost } from '#transport/port/serve-host.ts'
import type { WorkerLike } from '#transport/port/worker-handle.ts'
import { spawnNode } from './spawn-node.ts'
import { eraseChain, identifyChains, rescueStoredChain, StoredChainError, salvageChain } from './stored-chain.ts'

class FullError extends Error {}

let ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended) end()
  ended = []
})

/** A worker on this thread, whose store has one chain. */
function startWorker(deps: HostDeps = {}) {
  const { port1, port2 } = new MessageChannel()
  ended.push(() => port1.close())
  const stored = new Map([['blinknet:/:main', Uint8Array.of(1, 2, 3)]])
  const terminate = vi.fn<() => void>()
  serveHost(
    port1,
    async ({ seed }) => {
      if (seed === 404) throw new FullError('no room')
      return new FakeEndpoint({ eth_chainId: () => '0x1', eth_accounts: () => [] })
    },
    {
      failureOf: (error) => (error instanceof FullError ? 'quota' : undefined),
      store: {
        async salvage(chain) {
          const file = stored.get(chain)
          if (!file) throw new Error('nothing is stored')
          return file
        },
        async rescue(chain) {
          const file = stored.get(chain)
          if (!file) throw new Error('nothing can be proven')
          return { file, head: 7, missing: [{ number: 8, hash: undefined, isWhole: false }] }
        },
        async erase(chain) {
          stored.delete(chain)
        },
        identify: async (chains) => chains.map((chain) => (stored.has(chain) ? 8453 : undefined)),
      },
      ...deps,
    },
  )
  const worker: WorkerLike = Object.assign(port2 as MessagePort & { onerror: null }, { onerror: null, terminate })
  return { worker, stored, terminate, port: port2 }
}

test('a stored chain is exported by a worker that runs no node and then ends', async () => {
  const { worker, terminate } = startWorker()
  expect(await salvageChain('main', () => worker)).toEqual(Uint8Array.of(1, 2, 3))
  expect(terminate).toHaveBeenCalledOnce()
})

test('one worker tells the ids of many chains, and then ends', async () => {
  const { worker, terminate } = startWorker()
  expect(await identifyChains(['none', 'main'], () => worker)).toEqual([undefined, 8453])
  expect(terminate).toHaveBeenCalledOnce()
})

test('what is proven of a damaged chain comes as a file, with what is missing', async () => {
  const { worker, stored, terminate } = startWorker()
  const { file, head, missing } = await rescueStoredChain('main', () => worker)
  expect([file, head, missing]).toEqual([Uint8Array.of(1, 2, 3), 7, [{ number: 8, hash: undefined, isWhole: false }]])
  expect(stored.size).toBe(1)
  expect(terminate).toHaveBeenCalledOnce()
})

test('a stored chain is erased', async () => {
  const { worker, stored, terminate } = startWorker()
  await eraseChain('main', () => worker)
  expect(stored.size).toBe(0)
  expect(terminate).toHaveBeenCalledOnce()
})

test('a failed export is reported, and the worker still ends', async () => {
  const { worker, terminate } = startWorker()
  await expect(salvageChain('other', () => worker)).rejects.toThrow(new StoredChainError('nothing is stored'))
  expect(terminate).toHaveBeenCalledOnce()
})

test('a worker that cannot be loaded is reported', async () => {
  const { worker } = startWorker()
  const asked = eraseChain('main', () => worker)
  worker.onerror?.({ message: 'no module', preventDefault() {} } as never)
  await expect(asked).rejects.toThrow(new StoredChainError('no module'))
})

test('a worker that only runs nodes refuses to export or erase a chain', async () => {
  const { port1, port2 } = new MessageChannel()
  ended.push(() => port1.close())
  serveHost(port1, async () => new FakeEndpoint())
  const worker = Object.assign(port2 as MessagePort & { onerror: null }, { onerror: null, terminate() {} })
  await expect(eraseChain('main', () => worker)).rejects.toThrow('cannot erase')
})

test('a worker that runs a node refuses to touch stored chains', async () => {
  const { port, stored } = startWorker()
  const lost = new Promise<DisconnectedError>((resolve) => {
    connectPort(port, {
      boot: { options: {}, chainName: undefined },
      onNotification() {},
      onBooted: () => port.postMessage({ kind: 'erase', protocol: PROTOCOL, chainName: 'blinknet:/:main' }),
      onDisconnected: resolve,
    })
  })
  expect((await lost).message).toMatch(/cannot erase|protocol/)
  expect(stored.size).toBe(1)
})

test('the page receives the reason why a node cannot start as a code', async () => {
  const session = spawnNode({ seed: 404 }, undefined, () => startWorker().worker)
  await vi.waitFor(() =>
    expect(session.state.get()).toEqual({ status: 'crashed', message: 'no room', failure: 'quota' }),
  )
})
