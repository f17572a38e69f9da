import { expect, test } from 'vitest'
import { fetchServerChains } from './server-chains.ts'

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
