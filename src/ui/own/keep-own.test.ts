import { beforeEach, expect, test, vi } from 'vitest'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Hash, toWord } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { keepOwn as startKeeping } from './keep-own.ts'
import { earlierHistory, joinHistory, keepHistories } from './own-history.ts'
import { forgetOwn, type OwnTransaction, rememberOwn, useOwnTransactions } from './own-transactions.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const KEY = 'blinknet:own:main'
const GENESIS = toWord(99)
const OF = `0x7a69 ${GENESIS}`
const RECEIVED = { kind: 'received', atMs: 1_000 } as const
let kept: Map<string, string>
let stops: (() => void)[]

beforeEach(() => {
  stops = []
  forgetOwn()
  keepHistories(new Set())
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
  return () => {
    // Test files share modules, so stop following the feed.
    for (const stop of stops) stop()
    vi.unstubAllGlobals()
  }
})

async function keepOwn(session: Parameters<typeof startKeeping>[0]): Promise<void> {
  stops.push(await startKeeping(session))
}

const own = (id: number): OwnTransaction => ({ hash: toWord(id), from: ALICE, to: null, value: 7n })
const stored = (ids: readonly number[], of = OF, events: unknown = [RECEIVED]) =>
  JSON.stringify({ of, sent: ids.map((id) => ({ hash: toWord(id), events })) })
const hashes = () => useOwnTransactions.getState().sent.map(({ hash }) => hash)

/** A chain that knows some transactions. */
function chainWith(...known: readonly number[]) {
  const request = ({ method, params: [hash] = [] }: { method: string; params?: readonly Hash[] }) => {
    if (method === 'eth_chainId') return Promise.resolve('0x7a69')
    if (method === 'eth_getBlockByNumber') return Promise.resolve({ hash: GENESIS })
    const tx = known.map(own).find((one) => one.hash === hash)
    return Promise.resolve(tx ? { ...tx, value: '0x7' } : null)
  }
  return { chain: 'main', provider: { request } as unknown as BlinknetProvider }
}

test('after a reload a tab knows what it sent, as far as the chain still knows it', async () => {
  kept.set(KEY, stored([3, 2, 1]))
  await keepOwn(chainWith(1, 3))
  expect(useOwnTransactions.getState().sent).toEqual([own(3), own(1)])
  expect(useOwnTransactions.getState().hashes).toEqual(new Set([toWord(3), toWord(1)]))
})

test('transactions sent before the chain has answered come first, and are stored with the others', async () => {
  kept.set(KEY, stored([1]))
  const recalled = keepOwn(chainWith(1))
  rememberOwn(own(2))
  await recalled
  expect(hashes()).toEqual([toWord(2), toWord(1)])
  await vi.waitFor(() =>
    expect(JSON.parse(kept.get(KEY) ?? '')).toEqual({
      of: OF,
      sent: [
        { hash: toWord(2), events: [] },
        { hash: toWord(1), events: [RECEIVED] },
      ],
    }),
  )
})

test.each(['{', '"0x"', 'null', '[1, "0xzz"]', `{"of":"${OF}","sent":[1,{"hash":"0xzz"}]}`])(
  'an invalid stored value is ignored: %s',
  async (text) => {
    kept.set(KEY, text)
    await keepOwn(chainWith(1))
    expect(hashes()).toEqual([])
  },
)

test('times survive a reload', async () => {
  kept.set(KEY, stored([1]))
  await keepOwn(chainWith(1))
  expect(await earlierHistory(toWord(1))).toEqual([RECEIVED])
})

test('entries of a chain with another genesis block are ignored', async () => {
  kept.set(KEY, stored([1], `0x7a69 ${toWord(98)}`))
  await keepOwn(chainWith(1))
  expect(hashes()).toEqual([])
})

test.each([
  ['an unknown kind', [{ kind: 'lost', atMs: 1 }]],
  ['an invalid time', [{ kind: 'received', atMs: null }]],
  ['an invalid block number', [{ kind: 'sealed', atMs: 1, blockNumber: '-1', blockHash: toWord(1) }]],
  ['too many events', Array.from({ length: 21 }, () => RECEIVED)],
])('a stored history with %s is ignored, but not its transaction', async (_, events) => {
  kept.set(KEY, stored([1], OF, events))
  await keepOwn(chainWith(1))
  expect(hashes()).toEqual([toWord(1)])
  expect((await earlierHistory(toWord(1))) ?? []).toEqual([])
})

test('a history that lacks a step known to the chain is not shown', () => {
  const receipt = { blockHash: toWord(5), blockNumber: '0x1', status: '0x1' } as unknown as RpcReceipt
  const preconfirmed = { kind: 'preconfirmed', atMs: 1_200, blockNumber: '0x1', index: 3, status: 'success' } as const
  const sealed = { kind: 'sealed', atMs: 3_000, blockNumber: '0x1', blockHash: toWord(5) } as const
  expect(joinHistory([RECEIVED, preconfirmed], [], null, receipt)).toEqual([])
  expect(joinHistory([RECEIVED, preconfirmed], [sealed], null, receipt)).toEqual([RECEIVED, preconfirmed, sealed])
})

test('for a chain that ends with the page nothing is stored', async () => {
  await keepOwn({ ...chainWith(1), chain: undefined })
  rememberOwn(own(1))
  expect(kept.has('blinknet:own:undefined')).toBe(false)
})
