import { afterEach, expect, test, vi } from 'vitest'
import { type ConnectionState, createObservable } from '#client/session/connection-state.ts'
import { createProvider } from '#client/session/provider.ts'
import type { Quantity } from '#primitives/hex.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { BrowserChains, type BrowserChainsDeps } from './browser-chains.ts'
import type { SpawnedNode } from './spawn-node.ts'

const JOURNAL = { kind: 'journal' } as const
const READY: ConnectionState = { status: 'ready', role: { kind: 'leads', epoch: 1, storage: JOURNAL } }

afterEach(() => vi.useRealTimers())

/** A browser that keeps these chains. @param first - The state of a chain when it is opened. */
function browserWith(stored: Record<string, number | undefined>, first: ConnectionState = READY) {
  const states = new Map<string, ReturnType<typeof createObservable<ConnectionState>>>()
  const did: string[] = []
  let onPage: Parameters<BrowserChainsDeps['watch']>[0] | undefined
  const identify = vi.fn<BrowserChainsDeps['identify']>(async (names) => names.map((name) => stored[name]))
  function open(name: string, chainId: Quantity): SpawnedNode {
    did.push(`open ${name}`)
    const state = createObservable<ConnectionState>(first)
    states.set(name, state)
    const connection = new FakeEndpoint({ eth_chainId: () => chainId, eth_accounts: () => [] }).connect(() => {})
    const tell = (what: string) => () => void did.push(`${what} ${name}`)
    return {
      provider: createProvider((body) => connection.handle(body)).provider,
      state,
      chain: name,
      options: () => ({}),
      restart() {
        did.push(`restart ${name}`)
        state.set(READY)
      },
      suspend: tell('suspend'),
      resume: tell('resume'),
      putAside: tell('put aside'),
      comeBack: tell('come back'),
      close: tell('close'),
    }
  }
  const chains = new BrowserChains('main', (provider) => provider, {
    list: async () => Object.keys(stored),
    identify,
    open,
    watch: (session) => {
      onPage = session
    },
  })
  async function enter(name: string) {
    const id: Quantity = `0x${(stored[name] ?? 0).toString(16)}`
    const found = (await chains.find(id)).find((chain) => chain.name === name)
    return (found ?? expect.fail(`${name} is not found`)).open()
  }
  return { chains, states, did, identify, enter, stored, page: () => onPage }
}

test('all other chains with the id are found, and none is opened', async () => {
  const { chains, did } = browserWith({ main: 10, a: 10, b: 10, c: 1, broken: undefined })
  expect((await chains.find('0xa')).map(({ name }) => name)).toEqual(['a', 'b'])
  expect(await chains.find('0x5')).toEqual([])
  expect(did).toEqual([])
})

test('dapps that ask at once have the ids looked for once, and a browser with no other chain looks for none', async () => {
  const { chains, identify } = browserWith({ a: 10 })
  await Promise.all([chains.find('0xa'), chains.find('0x1')])
  expect(identify).toHaveBeenCalledOnce()
  const alone = browserWith({ main: 10 })
  expect(await alone.chains.find('0xa')).toEqual([])
  expect(alone.identify).not.toHaveBeenCalled()
})

test('storage that cannot be read is error 4901, and is read again for the next call', async () => {
  const { chains, identify } = browserWith({ a: 10 })
  identify.mockRejectedValueOnce(new Error('no access'))
  await expect(chains.find('0xa')).rejects.toMatchObject({ code: 4901 })
  expect(await chains.find('0xa')).toHaveLength(1)
})

test('a chain is opened once for all that are on it, and closed when the last leaves', async () => {
  const { enter, did } = browserWith({ a: 10 })
  const [first, second] = await Promise.all([enter('a'), enter('a')])
  expect(second.provider).toBe(first.provider)
  expect(await first.provider.request({ method: 'eth_chainId' })).toBe('0xa')
  first.release?.()
  first.release?.()
  expect(did).toEqual(['open a'])
  second.release?.()
  expect(did).toEqual(['open a', 'close a'])
  await enter('a')
  expect(did).toEqual(['open a', 'close a', 'open a'])
})

test('a chain of another tab is entered too, once that tab answers', async () => {
  const { enter, states } = browserWith({ a: 10 }, { status: 'ready', role: { kind: 'waits' } })
  let isIn = false
  const entering = enter('a').finally(() => {
    isIn = true
  })
  await vi.waitFor(() => expect(states.has('a')).toBe(true))
  expect(isIn).toBe(false)
  states.get('a')?.set({ status: 'ready', role: { kind: 'follows', epoch: 2, storage: JOURNAL } })
  expect(await entering).toMatchObject({ name: 'a', chainId: '0xa' })
})

test.each<[string, ConnectionState, RegExp]>([
  ['cannot be read', { status: 'crashed', message: 'it is damaged' }, /it is damaged/],
  ['is of another version', { status: 'blocked', message: 'reload the page' }, /reload the page/],
  [
    'is in memory',
    { status: 'ready', role: { kind: 'leads', epoch: 1, storage: { kind: 'memory', reason: 'no room' } } },
    /in memory only: no room/,
  ],
])('a chain that %s is error 4901, and is closed', async (_why, state, message) => {
  const { enter, did, states } = browserWith({ a: 10 }, { status: 'starting' })
  const entering = enter('a').catch((error: unknown) => error)
  await vi.waitFor(() => expect(states.has('a')).toBe(true))
  states.get('a')?.set(state)
  expect(await entering).toMatchObject({ code: 4901, message: expect.stringMatching(message) as string })
  expect(did).toEqual(['open a', 'close a'])
})

test('a chain that does not open is given up after 30 seconds', async () => {
  vi.useFakeTimers()
  const { enter, did } = browserWith({ a: 10 }, { status: 'starting' })
  const entering = enter('a').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await entering).toMatchObject({ code: 4901, message: 'the chain a cannot be opened: it took too long' })
  expect(did).toEqual(['open a', 'close a'])
})

test('a chain that was deleted while the person was asked is not opened, which would make it anew', async () => {
  const { chains, did, stored } = browserWith({ a: 10 })
  const [found] = await chains.find('0xa')
  delete stored['a']
  await expect(found?.open()).rejects.toMatchObject({ code: 4901 })
  expect(did).toEqual([])
})

test('at most three are open at a time; whoever is on one may stay', async () => {
  const { enter, did } = browserWith({ a: 1, b: 2, c: 3, d: 4 })
  const [a] = [await enter('a'), await enter('b'), await enter('c')]
  await expect(enter('d')).rejects.toMatchObject({
    code: 4901,
    message: expect.stringContaining('3 other chains') as string,
  })
  expect(await enter('a')).toMatchObject({ name: 'a' })
  expect(did).toEqual(['open a', 'open b', 'open c'])
  a.release?.()
})

test('a chain that has crashed is started again for the next dapp', async () => {
  const { enter, did, states } = browserWith({ a: 10 })
  await enter('a')
  states.get('a')?.set({ status: 'crashed', message: 'a bug' })
  await enter('a')
  expect(did).toEqual(['open a', 'restart a'])
})

test('what happens to the page happens to the chains that are open', async () => {
  const { enter, did, page } = browserWith({ a: 1, b: 2 })
  await enter('a')
  const b = await enter('b')
  b.release?.()
  did.length = 0
  page()?.suspend()
  page()?.resume()
  page()?.putAside()
  page()?.comeBack()
  expect(did).toEqual(['suspend a', 'resume a', 'put aside a', 'come back a'])
})
