import { erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { type Address, toWord } from '#primitives/hex.ts'
import { FakeStorage } from '#testing/ui/fake-storage.ts'
import {
  readContracts,
  type StoredAwaited,
  type StoredContract,
  storageKey,
  writeContracts,
} from './stored-contracts.ts'

const KEY = storageKey('main', toWord(1))

function contract(id: number, source?: string): StoredContract {
  const address: Address = `0x${id.toString(16).padStart(40, '0')}`
  return { address, codeHash: toWord(id), name: `Token ${id}`, abi: erc20Abi, ...(source !== undefined && { source }) }
}

function awaited(id: number): StoredAwaited {
  return { hash: toWord(id), name: `Awaited ${id}`, abi: erc20Abi }
}

const NOTHING = { contracts: [], awaited: [] }
const only = (...contracts: readonly StoredContract[]) => ({ contracts, awaited: [] })

test('stored contracts are read back', () => {
  const storage = new FakeStorage()
  const contracts = [contract(1, 'contract A {}'), contract(2)]
  const kept = { contracts, awaited: [awaited(3)] }
  writeContracts(storage, KEY, kept, 5)
  expect(readContracts(storage, KEY)).toEqual(kept)
  expect(readContracts(storage, storageKey('main', toWord(2)))).toEqual(NOTHING)
  expect(readContracts(storage, storageKey('other', toWord(1)))).toEqual(NOTHING)
})

test('if there are too many or too large contracts, the newest are kept', () => {
  const storage = new FakeStorage()
  writeContracts(
    storage,
    KEY,
    {
      contracts: Array.from({ length: 60 }, (_, i) => contract(i)),
      awaited: Array.from({ length: 12 }, (_, i) => awaited(i)),
    },
    5,
  )
  expect(readContracts(storage, KEY).awaited.map(({ hash }) => Number(hash))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(readContracts(storage, KEY).contracts.map(({ name }) => name)).toEqual(
    Array.from({ length: 50 }, (_, i) => `Token ${i + 10}`),
  )
  writeContracts(storage, KEY, only(contract(1, 'x'.repeat(200_000)), contract(2, 'y'.repeat(350_000))), 6)
  expect(readContracts(storage, KEY).contracts.map(({ name }) => name)).toEqual(['Token 2'])
})

test('the most recently stored chains are kept, and other entries are never deleted', () => {
  const storage = new FakeStorage()
  storage.setItem('a dapp', 'its own')
  const keys = Array.from({ length: 8 }, (_, i) => storageKey(`chain ${i}`, toWord(i)))
  for (const [i, key] of keys.entries()) writeContracts(storage, key, only(contract(i)), i)
  expect(keys.map((key) => readContracts(storage, key).contracts.length)).toEqual([0, 0, 1, 1, 1, 1, 1, 1])
  expect(storage.getItem('a dapp')).toBe('its own')
})

test('storing no contracts removes the entry', () => {
  const storage = new FakeStorage()
  writeContracts(storage, KEY, { contracts: [contract(1)], awaited: [awaited(1)] }, 5)
  writeContracts(storage, KEY, NOTHING, 6)
  expect(storage.length).toBe(0)
})

test('an entry by somebody else or by another version is ignored', () => {
  const storage = new FakeStorage()
  const good = contract(1)
  for (const text of ['', 'null', '[]', '{"version":2,"savedAtMs":1,"contracts":[]}', '{"version":1,"contracts":{}}']) {
    storage.setItem(KEY, text)
    expect(readContracts(storage, KEY)).toEqual(NOTHING)
  }
  const damaged = [
    null,
    7,
    { ...good, abi: [{ type: 'x' }] },
    { ...good, address: '0x1' },
    { ...good, source: 5 },
    good,
  ]
  storage.setItem(KEY, JSON.stringify({ version: 1, savedAtMs: 1, contracts: damaged }))
  expect(readContracts(storage, KEY)).toEqual(only(good))
  const waits = awaited(1)
  const damagedAwaited = [null, 'x', { ...waits, hash: '0x1' }, { ...waits, name: 7 }, waits]
  storage.setItem(KEY, JSON.stringify({ version: 1, savedAtMs: 1, contracts: [], awaited: damagedAwaited }))
  expect(readContracts(storage, KEY)).toEqual({ contracts: [], awaited: [waits] })
  storage.setItem(KEY, JSON.stringify({ version: 1, savedAtMs: 1, contracts: [], awaited: {} }))
  expect(readContracts(storage, KEY)).toEqual(NOTHING)
})

test('full storage throws the browser’s error, which the page reports', () => {
  expect(() => writeContracts(new FakeStorage(100), KEY, only(contract(1)), 5)).toThrow(DOMException)
})
