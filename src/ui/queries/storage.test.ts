import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { type Address, type Hash, type Hex, toWord } from '#primitives/hex.ts'
import type { StorageDiff } from '#ui/execution/storage-diff.ts'
import type { KnownBuilds } from './known-builds.ts'
import { fetchSealed, storageQuery } from './storage.ts'

const FIRST: Address = `0x${'01'.repeat(20)}`
const SECOND: Address = `0x${'02'.repeat(20)}`

/** A contract whose first slots were changed. */
function diffOf(address: Address, slots: number): StorageDiff {
  const after = new Map(Array.from({ length: slots }, (_, i): [Hash, Hash] => [toWord(i), toWord(i + 1)]))
  return { address, before: after, after }
}

/** A chain that answers at most 1,024 slots at once, each with its number and 7. */
function chain(word = (slot: Hash): Hash => toWord(BigInt(slot) + 7n)) {
  const asked: number[] = []
  const request = async ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) => {
    if (method === 'eth_blockNumber') return '0x64'
    if (method !== 'eth_getStorageValues') throw new Error(`${method} was not expected`)
    const [slots, block] = params as [Readonly<Record<Address, readonly Hash[]>>, Hex]
    expect(block).toBe('0x64')
    const count = Object.values(slots).flat().length
    asked.push(count)
    if (count > 1_024) throw new ProviderRpcError(-32602, 'too many slots (max 1024)')
    return Object.fromEntries(Object.entries(slots).map(([address, keys]) => [address, keys.map(word)]))
  }
  return { provider: { request } as unknown as BlinknetProvider, asked }
}

test('sealed values are those of every slot, however many a transaction changed', async () => {
  const { provider, asked } = chain()
  const sealed = await fetchSealed(provider, [diffOf(FIRST, 1_500), diffOf(SECOND, 600)], undefined)
  expect(asked).toEqual([1_024, 1_024, 52])
  expect(sealed?.block).toBe('0x64')
  expect([...(sealed?.values.get(FIRST) ?? [])].at(-1)).toEqual([toWord(1_499), toWord(1_506)])
  expect([...(sealed?.values.get(SECOND) ?? [])].map(([, word]) => Number(word))).toEqual(
    Array.from({ length: 600 }, (_, i) => i + 7),
  )
})

test('there are no sealed values if there are too many, or if the chain leaves some out', async () => {
  const many = chain()
  expect(await fetchSealed(many.provider, [diffOf(FIRST, 20_000)], '0x64')).toBeUndefined()
  expect(many.asked).toEqual([])
  const hostile = chain((slot) => (BigInt(slot) === 3n ? '0x' : toWord(1)))
  expect(await fetchSealed(hostile.provider, [diffOf(FIRST, 10)], '0x64')).toBeUndefined()
})

test('a storage that changed while it was read is not shown again when its old roots come back', async () => {
  let word = toWord(1)
  const request = async ({ method }: { readonly method: string }) => {
    if (method === 'eth_getBlockByNumber') return { transactions: [] }
    if (method === 'eth_getCode') return '0x'
    if (method === 'eth_getStorageAt') return toWord(0)
    if (method !== 'debug_storageRangeAt') throw new Error(`${method} was not expected`)
    // There is more of it, so no variables are named.
    return { storage: { [toWord(9)]: { key: toWord(0), value: word } }, nextKey: toWord(10) }
  }
  const provider = { request } as unknown as BlinknetProvider
  const builds = { key: ['chain'] } as unknown as KnownBuilds
  const shown = new QueryObserver(new QueryClient(), storageQuery(provider, builds, FIRST, undefined))
  let settle = () => {}
  const stop = shown.subscribe(({ isFetching }) => !isFetching && settle())
  const show = async (roots: string) => {
    const settled = new Promise<void>((resolve) => (settle = resolve))
    shown.setOptions(storageQuery(provider, builds, FIRST, roots))
    await settled
    return shown.getCurrentResult().data?.pending.slots
  }
  // The roots are those before the change, the slots those after it.
  word = toWord(2)
  expect(await show('before')).toEqual([[toWord(0), toWord(2)]])
  expect(await show('after')).toEqual([[toWord(0), toWord(2)]])
  word = toWord(1)
  expect(await show('before')).toEqual([[toWord(0), toWord(1)]])
  stop()
})
