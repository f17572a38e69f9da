import { beforeEach, expect, test, vi } from 'vitest'
import type { BlinknetProvider } from '#client/provider.ts'
import { type Hash, toWord } from '#primitives/hex.ts'
import { keepOwn } from './keep-own.ts'
import { forgetOwn, type OwnTransaction, rememberOwn, useOwnTransactions } from './own-transactions.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const KEY = 'blinknet:own:main'
let kept: Map<string, string>

beforeEach(() => {
  forgetOwn()
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
  return () => vi.unstubAllGlobals()
})

const own = (id: number): OwnTransaction => ({ hash: toWord(id), from: ALICE, to: null, value: 7n })
const hashes = () => useOwnTransactions.getState().sent.map(({ hash }) => hash)

/** A chain that knows some transactions. */
function chainWith(...known: readonly number[]) {
  const request = ({ params: [hash] }: { params: readonly [Hash] }) => {
    const tx = known.map(own).find((one) => one.hash === hash)
    return Promise.resolve(tx ? { ...tx, value: '0x7' } : null)
  }
  return { chain: 'main', provider: { request } as unknown as BlinknetProvider }
}

test('what a tab has sent is known again after a reload, as far as the chain still knows it', async () => {
  kept.set(KEY, JSON.stringify([toWord(3), toWord(2), toWord(1)]))
  await keepOwn(chainWith(1, 3))
  expect(useOwnTransactions.getState().sent).toEqual([own(3), own(1)])
  expect(useOwnTransactions.getState().hashes).toEqual(new Set([toWord(3), toWord(1)]))
})

test('what is sent before the chain has answered comes first, and is kept with the rest', async () => {
  kept.set(KEY, JSON.stringify([toWord(1)]))
  const recalled = keepOwn(chainWith(1))
  rememberOwn(own(2))
  await recalled
  expect(hashes()).toEqual([toWord(2), toWord(1)])
  expect(JSON.parse(kept.get(KEY) ?? '')).toEqual([toWord(2), toWord(1)])
})

test.each(['{', '"0x"', '[1, "0xzz"]'])('something else that was kept counts for nothing: %s', async (text) => {
  kept.set(KEY, text)
  await keepOwn(chainWith(1))
  expect(hashes()).toEqual([])
})

test('of a chain that ends with the page nothing is kept', async () => {
  await keepOwn({ ...chainWith(1), chain: undefined })
  rememberOwn(own(1))
  expect(kept.has('blinknet:own:undefined')).toBe(false)
})
