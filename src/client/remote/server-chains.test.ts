import { expect, test } from 'vitest'
import type { ChainAddress } from '#client/session/remote-endpoint.ts'
import { RemoteDisconnectedError } from '#client/session/remote-problem.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import type { RemoteLink, RemoteLinkListener } from './remote-link.ts'
import { fetchServerChains, ServerChains } from './server-chains.ts'

const UNKNOWN = () => ({ error: { code: -32601, message: 'the method does not exist' } })
const CHAIN = { name: 'base', chainId: '0x2105', path: '/base' }

/** What the page makes of an answer, and where it asked. */
async function read(body: unknown, status = 200) {
  const asked: string[] = []
  const list = await fetchServerChains({ url: 'ws://127.0.0.1:8545/base?latest=sealed' }, async (url) => {
    asked.push(url instanceof URL ? url.href : '')
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  })
  return { list, asked }
}

test('the list of a server’s chains is beside them, whichever the page shows', async () => {
  const { list, asked } = await read({ chains: [CHAIN] })
  expect(asked).toEqual(['http://127.0.0.1:8545/chains.json'])
  expect(list).toEqual({ chains: [CHAIN] })
})

test('a pool is read with the names of its chains', async () => {
  const pool = { size: 100, idleSeconds: 600, names: ['7', '7/base', '__proto__'] }
  expect((await read({ chains: [CHAIN], pool })).list).toEqual({ chains: [CHAIN], pool })
})

test.each([
  ['no JSON', '<html>'],
  ['no list', { chains: 5 }],
  ['a path to another host', { chains: [{ ...CHAIN, path: '//evil.example' }] }],
  ['a path with a query', { chains: [{ ...CHAIN, path: '/base?x' }] }],
  ['a path out of the server', { chains: [{ ...CHAIN, path: 'https://evil.example' }] }],
  ['an id that is none', { chains: [{ ...CHAIN, chainId: 8453 }] }],
  ['a name with markup', { chains: [{ ...CHAIN, name: '<b>' }] }],
  ['a name that hides what follows', { chains: [{ ...CHAIN, name: 'a\u202eb' }] }],
  ['names without end', { chains: [CHAIN], pool: { size: 1, idleSeconds: 1, names: Array(2_001).fill('a') } }],
  ['nothing', null],
])('%s is no list of chains', async (_what, body) => {
  expect((await read(body)).list).toBeUndefined()
})

test('a server that answers with an error, or not at all, lists none', async () => {
  expect((await read({ chains: [CHAIN] }, 403)).list).toBeUndefined()
  const down = async () => Promise.reject(new TypeError('fetch failed'))
  expect(await fetchServerChains({ url: 'http://127.0.0.1:1' }, down)).toBeUndefined()
})

/** The chains of a server without a network: each answers by its id, unless it is down. */
function serverOf(url: string, down: readonly string[] = []) {
  const opened: string[] = []
  const ids: Readonly<Record<string, string>> = { '/base': '0x2105', '/pool/7/base': '0x2105', '/l1': '0x1' }
  const connect = ({ url: address }: ChainAddress, listener: RemoteLinkListener): RemoteLink => {
    const { pathname } = new URL(address)
    opened.push(address)
    const endpoint = new FakeEndpoint({
      eth_chainId: () => ids[pathname],
      eth_accounts: () => [],
      web3_clientVersion: () => 'plain/1',
      devnet_status: UNKNOWN,
      room_info: UNKNOWN,
      chain_transactionStatus: UNKNOWN,
      base_transactionStatus: UNKNOWN,
      eth_subscribe: UNKNOWN,
      eth_unsubscribe: () => true,
    })
    const connection = endpoint.connect((body) => listener.onNotification(body))
    return {
      request: (body) =>
        down.includes(pathname)
          ? Promise.reject(new RemoteDisconnectedError({ code: 'unreachable' }))
          : connection.handle(body),
      close: () => connection.close(),
    }
  }
  const list = () => ({
    chains: [
      { name: 'l1', chainId: '0x1', path: '/l1' } as const,
      { name: 'base', chainId: '0x2105', path: '/base' } as const,
    ],
  })
  const endpoint: ChainAddress = { url, transport: 'webSocket', host: 'server' }
  const chains = new ServerChains(
    endpoint,
    { pageProtocol: 'http:', connect },
    (provider) => provider,
    async () => list(),
  )
  return { chains, opened }
}

test('another chain of the server is opened once, and answers for itself', async () => {
  const { chains, opened } = serverOf('ws://127.0.0.1:8545/l1?latest=sealed')
  const base = await chains.open('0x2105')
  expect(base).toMatchObject({ name: 'base', chainId: '0x2105' })
  expect(await base?.provider.request({ method: 'eth_chainId' })).toBe('0x2105')
  expect((await chains.open('0x2105'))?.provider).toBe(base?.provider)
  expect(opened).toEqual(['ws://127.0.0.1:8545/base?latest=sealed'])
  expect(await chains.open('0xa')).toBeUndefined()
})

test('beside a chain on demand are those with its name', async () => {
  const { chains, opened } = serverOf('ws://127.0.0.1:8545/pool/7/l1')
  await chains.open('0x2105')
  expect(opened).toEqual(['ws://127.0.0.1:8545/pool/7/base'])
})

test('a chain that does not answer is error 4901, and is tried again when it is asked for next', async () => {
  const { chains, opened } = serverOf('ws://127.0.0.1:8545/l1', ['/base'])
  const failure = { code: 4901, message: expect.stringContaining('the chain base cannot be reached') as string }
  await expect(chains.open('0x2105')).rejects.toMatchObject(failure)
  await expect(chains.open('0x2105')).rejects.toMatchObject(failure)
  expect(opened).toHaveLength(2)
})
