import { type Abi, encodeFunctionData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { type Address, type Hash, type Hex, toWord } from '#primitives/hex.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { ScenarioChain } from '#testing/solidity/scenarios.ts'
import { describeViews } from './describe-slots.ts'
import { asStored, placeVariable, readVariable, type StorageKey, type StoredValue } from './read-variable.ts'
import { readStorageLayout, type StorageLayout } from './storage-layout.ts'

/** The layout alone, as a test of a dapp has it. */
let layout: StorageLayout
let slots: Map<Hash, Hash>
let preimages: readonly Hex[]

beforeAll(async () => {
  const stage = await ScenarioChain.open('storage.sol', {})
  await stage.deploy('Shop')
  const { build, node, addresses } = stage
  const read = readStorageLayout(build.contracts.find(({ name }) => name === 'Shop')?.storageLayout)
  if (!read) throw new Error('no layout')
  layout = read
  const to = addresses.get('Shop') as Address
  const data = encodeFunctionData({ abi: stage.contract('Shop').abi as unknown as Abi, functionName: 'fill' })
  const hash = await node.request('eth_sendTransaction', [{ from: devAccount(0).address, to, data, gas: '0x400000' }])
  await node.clock.advance(4_000)
  preimages = (await node.request('devnet_traceStorage', [hash])).hashed
  const block = await node.request('eth_getBlockByNumber', ['latest', false])
  const { storage } = await node.request('debug_storageRangeAt', [block?.hash, 0, to, toWord(0), 1_000])
  slots = new Map(Object.values(storage).map(({ key, value }) => [key, value]))
})

function valueOf(name: string, ...keys: readonly StorageKey[]): StoredValue | undefined {
  return readVariable(layout, placeVariable(layout, name, keys), { get: (slot) => slots.get(slot) ?? toWord(0) })
}

const TWOS = '0x2222222222222222222222222222222222222222'
const THREES = '0x3333333333333333333333333333333333333333'
const KEY = `0x${'6b6579'.padEnd(64, '0')}`

test('variables of each kind are read by name', () => {
  expect(valueOf('owner')).toBe('0x1111111111111111111111111111111111111111')
  expect(valueOf('open')).toBe(true)
  expect(valueOf('small')).toBe(-5n)
  // Without the sources, an enum and a user-defined type are numbers.
  expect(valueOf('colour')).toBe(2n)
  expect(valueOf('price')).toBe(12n)
  expect(valueOf('tag')).toBe('0xdeadbeef')
  expect(valueOf('short')).toBe('hello')
  expect(valueOf('long')).toBe('a text that is longer than the thirty-one bytes of a slot')
  expect(valueOf('raw')).toBe('0x0102')
  expect(valueOf('list')).toEqual([11n, 22n])
  expect(valueOf('packed')).toEqual(Array.from({ length: 19 }, (_, i) => BigInt(i + 1)))
  expect(valueOf('grid')).toEqual([
    [0n, 0n],
    [6n, 0n],
  ])
})

test('parts are found by keys, indices and names', () => {
  expect(valueOf('balances', TWOS)).toBe(100n)
  expect(valueOf('balances', THREES)).toBe(0n)
  expect(valueOf('allowed', TWOS, 7)).toBe(true)
  expect(valueOf('items', 'pen', 'amount')).toBe(4n)
  expect(valueOf('items', 'pen', 'sold', THREES)).toBe(9n)
  expect(valueOf('items', 'pen', 'marks', 2n)).toBe(8n)
  expect(valueOf('notes', KEY)).toBe('also a text that is longer than the thirty-one bytes of a slot')
  expect(valueOf('all', 1, 'name')).toBe('second')
  expect(valueOf('packed', 18)).toBe(19n)
  expect(valueOf('byNumber', -3)).toEqual([33n])
})

test('a struct is an object without its mappings, an item past the end is not there', () => {
  expect(valueOf('items', 'pen')).toEqual({ id: 3n, amount: 4n, name: 'a pen', marks: [0n, 0n, 8n] })
  expect(valueOf('all')).toHaveLength(2)
  expect(valueOf('list', 2)).toBeUndefined()
  expect(valueOf('all', 2, 'name')).toBeUndefined()
})

test('whatever the debugger names in the slots is read as the same value', () => {
  const { variables } = describeViews(layout, [slots], { preimages })
  const read = variables.filter(({ values: [value], type }) => value !== undefined && !type.endsWith('[]'))
  expect(read.length).toBeGreaterThan(40)
  for (const { path, values } of read) {
    const [, name = '', rest = ''] = /^([^.[]*)(.*)$/s.exec(path) ?? []
    const keys = [...rest.matchAll(/\.(\w+)|\["([^"]*)"\]|\[(0x[\da-fA-F]+)\]|\[(-?\d+)\]/g)].map(
      ([, member, text, hex, number]) => member ?? text ?? hex ?? BigInt(number ?? 0),
    )
    const value = valueOf(name, ...keys) as bigint | boolean | string
    const isText = typeof value === 'string' && !value.startsWith('0x')
    expect(isText ? JSON.stringify(value) : String(value), path).toBe(values[0])
  }
})

test('all slots that a value needs are asked for together, and only those', () => {
  const asked: Hash[] = []
  const known = new Map<Hash, Hash>()
  const rounds: number[] = []
  for (;;) {
    asked.length = 0
    const value = readVariable(layout, placeVariable(layout, 'long'), {
      get(slot) {
        if (!known.has(slot)) asked.push(slot)
        return known.get(slot)
      },
    })
    if (asked.length === 0) {
      expect(value).toBe('a text that is longer than the thirty-one bytes of a slot')
      break
    }
    rounds.push(asked.length)
    for (const slot of asked) known.set(slot, slots.get(slot) ?? toWord(0))
  }
  expect(rounds).toEqual([1, 2])
})

test('what the layout does not have is refused, with what it has', () => {
  expect(() => valueOf('balance')).toThrow(/no variable "balance"; it has owner, open, small/)
  expect(() => valueOf('items', 'pen', 'size')).toThrow(/no member "size"; it has id, amount, name/)
  expect(() => valueOf('balances')).toThrow(/balances is a mapping\(address => uint256\): name a key/)
  expect(() => valueOf('balances', '0x12')).toThrow(/keys of the type address, and 0x12 is none/)
  expect(() => valueOf('balances', 5)).toThrow(/keys of the type address/)
  expect(() => valueOf('byNumber', 128)).toThrow(/keys of the type int8, and 128 is none/)
  expect(() => valueOf('list', 'first')).toThrow(/its key is an index/)
  expect(() => valueOf('list', -1)).toThrow(/its key is an index/)
  expect(() => valueOf('grid', 2)).toThrow(/uint256\[2\]\[2\]: it has no item 2/)
  expect(() => valueOf('open', 1)).toThrow(/bool, which has no parts/)
})

test('what is too large to be read at once is refused', () => {
  const { slot } = placeVariable(layout, 'list')
  const huge = new Map([[toWord(slot), toWord(2n ** 200n)]])
  const read = () => readVariable(layout, placeVariable(layout, 'list'), { get: (at) => huge.get(at) ?? toWord(0) })
  expect(read).toThrow(/list has \d+ items, more than 1000: name one of them/)
  const text = placeVariable(layout, 'long')
  const long = new Map([[toWord(text.slot), toWord(2n ** 40n + 1n)]])
  expect(() => readVariable(layout, text, { get: (at) => long.get(at) ?? toWord(0) })).toThrow(/bytes, more than/)
})

test('a struct of a hostile layout that contains itself ends', () => {
  const storage = [{ label: 'a', slot: '0', offset: 0, type: 's' }]
  const members = [0, 1, 2].map((i) => ({ label: `m${i}`, slot: '0', offset: 0, type: 's' }))
  const hostile = readStorageLayout({
    storage,
    types: { s: { encoding: 'inplace', label: 'struct S', numberOfBytes: '32', members } },
  }) as StorageLayout
  expect(() => readVariable(hostile, placeVariable(hostile, 'a'), { get: () => toWord(0) })).toThrow(/too large/)
})

test('a wish for a user-defined type may be its bytes or a negative number', () => {
  const { type } = placeVariable(layout, 'price')
  expect(asStored(layout, type, '0x0c')).toBe(12n)
  expect(asStored(layout, type, -1n)).toBe(2n ** 128n - 1n)
  expect(asStored(layout, type, 12)).toBe(12)
  expect(asStored(layout, placeVariable(layout, 'raw').type, '0x0102')).toBe('0x0102')
})
