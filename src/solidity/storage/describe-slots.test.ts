import { type Abi, encodeFunctionData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { toWord } from '#primitives/hex.ts'
import type { RpcPrestateDiff } from '#rpc-types/methods/debug.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { ScenarioChain } from '#testing/solidity/scenarios.ts'
import { describeViews, fixedSlots, nameStorage, type SlotHints, type ViewedVariable } from './describe-slots.ts'
import { readStorageLayout, type StorageLayout } from './storage-layout.ts'

let stage: ScenarioChain
let layout: StorageLayout
/** What `fill` has written. */
let filled: { slots: Map<Hash, Hash>; preimages: readonly Hex[] }

beforeAll(async () => {
  stage = await ScenarioChain.open('storage.sol', {})
  await stage.deploy('Shop')
  const { build } = stage
  const read = readStorageLayout(build.contracts.find(({ name }) => name === 'Shop')?.storageLayout, build)
  if (!read) throw new Error('no layout')
  layout = read
  const { preimages } = await run('fill')
  filled = { slots: await allSlots(), preimages }
})

async function allSlots(): Promise<Map<Hash, Hash>> {
  const { node, addresses } = stage
  // At the beginning of a block without transactions.
  await node.clock.advance(2_000)
  const block = await node.request('eth_getBlockByNumber', ['latest', false])
  const range = await node.request('debug_storageRangeAt', [block?.hash, 0, addresses.get('Shop'), toWord(0), 1_000])
  return new Map(Object.values(range.storage).map(({ key, value }) => [key, value]))
}

/** Sends a call, and returns what it changed and hashed. */
async function run(functionName: string) {
  const { node, addresses } = stage
  const data = encodeFunctionData({ abi: stage.contract('Shop').abi as unknown as Abi, functionName })
  const to = addresses.get('Shop') as Address
  const hash = await node.request('eth_sendTransaction', [{ from: devAccount(0).address, to, data, gas: '0x400000' }])
  await node.clock.advance(2_000)
  const receipt = await node.request('eth_getTransactionReceipt', [hash])
  expect(receipt?.status).toBe('0x1')
  const config = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const diff = (await node.request('debug_traceTransaction', [hash, config])) as RpcPrestateDiff
  const { hashed: preimages } = await node.request('devnet_traceStorage', [hash])
  return { diff, to, preimages }
}

function variablesIn(
  slots: Map<Hash, Hash>,
  hints: SlotHints = {},
  of: StorageLayout | undefined = layout,
): readonly ViewedVariable[] {
  return describeViews(of, [slots], hints).variables
}

function valuesOf(slots: Map<Hash, Hash>, preimages: readonly Hex[], keys: Hash[] = []) {
  return Object.fromEntries(variablesIn(slots, { preimages, keys }).map(({ path, values: [value] }) => [path, value]))
}

const TWOS = '0x2222222222222222222222222222222222222222'
const THREES = '0x3333333333333333333333333333333333333333'

test('variables have values: packed ones, short and long strings, nested arrays, structs and mappings', () => {
  const values = valuesOf(filled.slots, filled.preimages)
  expect(values).toMatchObject({
    owner: '0x1111111111111111111111111111111111111111',
    open: 'true',
    small: '-5',
    colour: 'blue',
    price: '12',
    tag: '0xdeadbeef',
    short: '"hello"',
    long: '"a text that is longer than the thirty-one bytes of a slot"',
    raw: '0x0102',
    list: '2',
    'list[0]': '11',
    'list[1]': '22',
    packed: '19',
    'packed[0]': '1',
    'packed[18]': '19',
    [`balances[${TWOS}]`]: '100',
    [`allowed[${TWOS}][7]`]: 'true',
    'items["pen"].id': '3',
    'items["pen"].amount': '4',
    'items["pen"].name': '"a pen"',
    [`items["pen"].sold[${THREES}]`]: '9',
    'items["pen"].marks[2]': '8',
    [`notes[0x${'6b6579'.padEnd(64, '0')}]`]: '"also a text that is longer than the thirty-one bytes of a slot"',
    all: '2',
    'all[1].name': '"second"',
    [`all[1].sold[${TWOS}]`]: '5',
    'grid[1][0]': '6',
    'byNumber[-3]': '1',
    'byNumber[-3][0]': '33',
  })
  expect(Object.keys(values)).not.toContain('set')
})

test('fixed slots are those that variables always have, and only the first of a huge array', () => {
  const slots = fixedSlots(layout)
  expect(slots.slice(0, 3)).toEqual([toWord(0), toWord(1), toWord(2)])
  const named = variablesIn(new Map(slots.map((slot) => [slot, filled.slots.get(slot) ?? toWord(0)])))
  expect(named.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['owner', 'open', 'short', 'list', 'grid[1][0]']),
  )
  const endless = { encoding: 'inplace', label: 'uint256[2**255]', numberOfBytes: `${2n ** 255n}` }
  const storage = [{ label: 'a', slot: '5', offset: 0, type: 't' }]
  expect(fixedSlots(readStorageLayout({ storage, types: { t: endless } }) as StorageLayout)).toHaveLength(256)
})

test('several states stand side by side, in the order of the source, with the slots that belong to no variable', () => {
  const nobodys = toWord(2n ** 255n)
  const before = new Map([
    [toWord(1), toWord(0)],
    [nobodys, toWord(1)],
  ])
  const { variables, unnamed } = describeViews(layout, [before, filled.slots], filled, { fixed: true })
  expect(variables.find(({ path }) => path === 'list[1]')?.values).toEqual([null, '22'])
  expect(variables.find(({ path }) => path === 'small')?.values).toEqual(['0', '-5'])
  const paths = variables.map(({ path }) => path)
  expect(paths.slice(0, 3)).toEqual(['owner', 'open', 'small'])
  expect(paths.indexOf('packed[9]')).toBeLessThan(paths.indexOf('packed[10]'))
  expect(unnamed).toEqual([nobodys])
})

test('on request, only what differs between states is listed', () => {
  const after = new Map(filled.slots).set(toWord(0), toWord(2n ** 160n))
  const { variables } = describeViews(layout, [filled.slots, after, filled.slots], filled, { changed: true })
  expect(variables.map(({ path, values }) => [path, ...values])).toEqual([
    [
      'owner',
      '0x1111111111111111111111111111111111111111',
      `0x${'0'.repeat(40)}`,
      '0x1111111111111111111111111111111111111111',
    ],
    ['small', '-5', '0', '-5'],
    ['colour', 'blue', 'red', 'blue'],
  ])
})

test('a slot that one state lacks and that is 0 in another has not changed', () => {
  const nobodys = toWord(2n ** 255n)
  const views = [new Map(), new Map([toWord(1), nobodys].map((slot) => [slot, toWord(0)]))]
  expect(describeViews(layout, views, {}, { changed: true })).toEqual({ variables: [], unnamed: [] })
})

test('a run’s variables are in the same order, without items past the end of their array', () => {
  const { valuesIn } = nameStorage(layout, [...filled.slots.keys()], filled)
  const all = variablesIn(filled.slots, filled).map(({ path }) => path)
  // Two slots of sixteen items each.
  expect(all.filter((path) => path.startsWith('packed['))).toHaveLength(19)
  expect(valuesIn(filled.slots, 1_000).variables.map(({ path }) => path)).toEqual(all)
})

test('an array has as many items as its length says, whatever stands behind its end', () => {
  const slotOf = (path: string) => variablesIn(filled.slots, filled).find((each) => each.path === path)?.slot as Hash
  const shorter = new Map(filled.slots).set(slotOf('list'), toWord(1)).set(slotOf('packed'), toWord(0))
  const { variables, unnamed } = describeViews(layout, [shorter], filled, { fixed: true })
  const paths = variables.map(({ path }) => path)
  expect(paths.filter((path) => /^(?:list|packed)\[/.test(path))).toEqual(['list[0]'])
  // What a slot behind the end holds is told, but it is no variable.
  expect(new Set(unnamed)).toEqual(new Set(['list[1]', 'packed[0]', 'packed[18]'].map(slotOf)))
  // The other of two states still tells the value of an item that is gone in one.
  const popped = describeViews(layout, [filled.slots, shorter], filled, { changed: true })
  expect(popped.variables.map(({ path, values: [before, after] }) => [path, before, after])).toEqual([
    ['list', '2', '1'],
    ['packed', '19', '0'],
  ])
  const emptied = new Map(shorter).set(slotOf('list[1]'), toWord(0))
  const cleared = describeViews(layout, [filled.slots, emptied], filled, { changed: true })
  expect(cleared.variables.find(({ path }) => path === 'list[1]')?.values).toEqual(['22', null])
})

test('without an AST a value of a type that only its name is known of is left out, and a key is the word itself', () => {
  const bare = readStorageLayout(stage.build.contracts.find(({ name }) => name === 'Shop')?.storageLayout)
  const { variables } = describeViews(bare as StorageLayout, [filled.slots], filled)
  expect(variables.find(({ path }) => path === 'price')?.values).toEqual([undefined])
  expect(variables.find(({ path }) => path === 'colour')?.values).toEqual(['2'])
})

test('types are written as in the source', () => {
  const types = new Map(variablesIn(filled.slots, filled).map(({ path, type }) => [path, type]))
  expect(types.get('colour')).toBe('enum Shop.Colour')
  expect(types.get(`balances[${TWOS}]`)).toBe('uint256')
  expect(types.get('list')).toBe('uint256[]')
})

test('without preimages, possible keys find values of mappings, even nested ones', () => {
  const keys = [toWord(BigInt(TWOS)), toWord(7)]
  const values = valuesOf(filled.slots, [], keys)
  expect(values[`balances[${TWOS}]`]).toBe('100')
  expect(values[`allowed[${TWOS}][7]`]).toBe('true')
  expect(valuesOf(filled.slots, [])[`balances[${TWOS}]`]).toBeUndefined()
})

test('only changes are listed, with the values before and after', async () => {
  const { diff, to, preimages } = await run('change')
  const key = to.toLowerCase() as Address
  const zero = toWord(0)
  const before = new Map(Object.entries(diff.pre[key]?.storage ?? {}) as [Hash, Hash][])
  const after = new Map(Object.entries(diff.post[key]?.storage ?? {}) as [Hash, Hash][])
  for (const slot of before.keys()) if (!after.has(slot)) after.set(slot, zero)
  const { variables } = describeViews(layout, [before, after], { preimages }, { changed: true })
  const told = Object.fromEntries(variables.map(({ path, values }) => [path, values]))
  expect(told).toEqual({
    open: ['true', 'false'],
    small: ['-5', '4'],
    long: ['"a text that is longer than the thirty-one bytes of a slot"', '"now short"'],
    [`balances[${TWOS}]`]: ['100', '60'],
    'list[1]': ['22', '23'],
  })
})

test('malformed layouts are refused, and types that contain themselves do no harm', () => {
  const whole = (slot: string) => ({ storage: [{ label: 'a', slot, offset: 0, type: 't' }], types: {} })
  expect(() => readStorageLayout(whole('x'))).toThrow('no whole number')
  expect(readStorageLayout(undefined)).toBeUndefined()
  const itself = {
    label: 'struct S',
    encoding: 'inplace',
    numberOfBytes: '32',
    members: [{ label: 's', slot: '0', offset: 0, type: 't' }],
  }
  const endless = readStorageLayout({ ...whole('0'), types: { t: itself } })
  expect(variablesIn(new Map([[toWord(0), toWord(1)]]), {}, endless)).toEqual([])
  // Twenty times, sixteen levels deep.
  const many = { ...itself, members: Array.from({ length: 20 }, () => itself.members).flat() }
  const wide = readStorageLayout({ ...whole('0'), types: { t: many } })
  expect(variablesIn(new Map([[toWord(0), toWord(1)]]), {}, wide)).toEqual([])
})

test('a number that claims more bytes than a word has 32, and an absurd array length is ignored', () => {
  const huge = `${2n ** 255n}`
  const types = {
    t_int8: { encoding: 'inplace', label: 'int8', numberOfBytes: huge },
    t_array: { encoding: 'inplace', label: `uint8[${'9'.repeat(10_000_000)}]`, numberOfBytes: '32', base: 't_uint8' },
    t_uint8: { encoding: 'inplace', label: 'uint8', numberOfBytes: '1' },
  }
  const told = (type: string) => {
    const storage = [{ label: 'a', slot: '0', offset: 0, type }]
    return variablesIn(new Map([[toWord(0), toWord(2n ** 256n - 5n)]]), {}, readStorageLayout({ storage, types }))
  }
  expect(told('t_int8').map(({ values }) => values)).toEqual([['-5']])
  expect(told('t_array')).toHaveLength(32)
})

test('unrelated hashes and slots without a variable are ignored', () => {
  const preimages: Hex[] = ['0x', '0x01', `0x${'ff'.repeat(64)}`, `0x${'00'.repeat(1_000)}`]
  expect(variablesIn(new Map([[toWord(2n ** 255n), toWord(1)]]), { preimages })).toEqual([])
})
