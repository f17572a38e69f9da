import { expect, test } from 'vitest'
import { bytesToHex, type Hash, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { bytesOfText } from '../../../state/byte-text.ts'
import { slotKey } from '../../../state/trie-keys.ts'

const from = devAccount(0).address.toLowerCase()
/** Stores the second word of the data under the first. */
const STORE: Hex = `0x${'5c'.repeat(20)}`
const STORE_CODE = '0x6020355f355500'

const keyOf = (slot: number): Hash => bytesToHex(bytesOfText(slotKey(toWord(slot))))
const entry = (slot: number, value: number) => [keyOf(slot), { key: toWord(slot), value: toWord(value) }] as const

/** A node whose contract has its slots 0 to `count` − 1 set to 100 and more. */
async function createStored(count: number): Promise<TestNode> {
  const node = await createTestNode({ mode: 'manual' })
  await node.request('anvil_setCode', [STORE, STORE_CODE])
  for (let slot = 0; slot < count; slot++) {
    await node.request('anvil_setStorageAt', [STORE, toWord(slot), toWord(100 + slot)])
  }
  return node
}

const store = ({ request }: TestNode, slot: number, value: number) =>
  request('eth_sendTransaction', [
    { from, to: STORE, data: `${toWord(slot)}${toWord(value).slice(2)}`, gas: '0x186a0' },
  ])

test('the whole storage is read in parts, in key order', async () => {
  const { request } = await createStored(7)
  const found: [string, unknown][] = []
  let start: Hex = '0x'
  for (const expected of [3, 3, 1]) {
    const { storage, nextKey } = await request('debug_storageRangeAt', ['pending', 0, STORE, start, 3])
    expect(Object.keys(storage)).toHaveLength(expected)
    found.push(...Object.entries(storage))
    if (nextKey) start = nextKey
    else expect(found).toHaveLength(7)
  }
  expect(found.map(([key]) => key)).toEqual(found.map(([key]) => key).toSorted())
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Array.from({ length: 7 }, (_, i) => entry(i, 100 + i))))
})

test('it starts at a key or after it, and a few bytes of a key are enough', async () => {
  const { request } = await createStored(7)
  const keys = Array.from({ length: 7 }, (_, i) => keyOf(i)).toSorted()
  const [, , third] = keys as [Hash, Hash, Hash]
  const keysFrom = async (start: Hex) =>
    Object.keys((await request('debug_storageRangeAt', ['pending', 0, STORE, start, 100])).storage)
  expect(await keysFrom(third)).toEqual(keys.slice(2))
  expect(await keysFrom(third.slice(0, 6) as Hex)).toEqual(keys.slice(2))
  const above = hexToBytes(third)
  above[31] = ((above[31] ?? 0) + 1) % 256
  expect(await keysFrom(bytesToHex(above))).toEqual(keys.slice(3))
  expect(await keysFrom(`0x${'ff'.repeat(32)}`)).toEqual([])
})

test('the state is the one before a transaction, or after the last one', async () => {
  const node = await createStored(1)
  const { request } = node
  await request('devnet_seal')
  await store(node, 0, 7)
  await store(node, 1, 8)
  await request('devnet_tick', [1])
  const at = async (block: string, index: number) =>
    (await request('debug_storageRangeAt', [block, index, STORE, '0x', 10])).storage
  expect(await at('pending', 0)).toEqual(Object.fromEntries([entry(0, 100)]))
  expect(await at('pending', 1)).toEqual(Object.fromEntries([entry(0, 7)]))
  const both = Object.fromEntries([entry(0, 7), entry(1, 8)])
  expect(await at('pending', 2)).toEqual(both)
  await request('devnet_seal')
  expect(await at('latest', 1)).toEqual(Object.fromEntries([entry(0, 7)]))
  expect(await at('latest', 2)).toEqual(both)
})

test('an unknown account or one without storage has no slots; the genesis block has its state', async () => {
  const { request } = await createStored(0)
  const nothing = { storage: {}, nextKey: null }
  expect(await request('debug_storageRangeAt', ['latest', 0, from, '0x', 10])).toEqual(nothing)
  expect(await request('debug_storageRangeAt', ['0x0', 0, `0x${'77'.repeat(20)}`, '0x', 10])).toEqual(nothing)
})

test.each([
  [['0x99', 0, STORE, '0x', 1], -32000, 'header not found'],
  [['latest', 0, STORE, '0x', 10_001], -32602, 'invalid argument 4: 10001 is not a whole number from 0 to 10000'],
  [['latest', 0, STORE, `0x${'00'.repeat(33)}`, 1], -32602, 'invalid argument 3: a key has 32 bytes, not 33'],
  [['latest', -1, STORE, '0x', 1], -32602, 'invalid argument 1: invalid hex or decimal integer "-1"'],
] as const)('%j is refused', async (params, code, message) => {
  const { requestLoosely } = await createStored(0)
  await expect(requestLoosely('debug_storageRangeAt', params)).rejects.toMatchObject({ error: { code, message } })
})

test('a transaction that is not in the block is refused', async () => {
  const node = await createStored(0)
  await store(node, 0, 7)
  await node.request('devnet_seal')
  await expect(node.request('debug_storageRangeAt', ['latest', 2, STORE, '0x', 1])).rejects.toMatchObject({
    error: { code: -32000, message: expect.stringMatching(/^transaction index 2 out of range for block 0x/) as string },
  })
})
