import { type Abi, encodeFunctionData, keccak256 } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { Hash } from '#primitives/hex.ts'
import { toWord } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { Build } from '#solidity/build/build.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { ScenarioChain } from '#testing/solidity/scenarios.ts'
import { layoutOf } from './contract-layout.ts'
import { describeViews } from './describe-slots.ts'
import { namespacesOf, slotOf } from './namespaces.ts'
import { readStorageLayout, type StorageLayout } from './storage-layout.ts'

const FILE = 'namespaces.sol'
let stage: ScenarioChain

beforeAll(async () => {
  stage = await ScenarioChain.open(FILE, {})
})

function named(contract: string, build: Build = stage.build) {
  const found = build.contracts.find(({ name, path }) => name === contract && path === FILE)
  if (!found) throw new Error(`no contract ${contract}`)
  return { build, contract: found }
}

test('a namespace begins where ERC-7201 and OpenZeppelin say', () => {
  // The example of the ERC, and the constants in OpenZeppelin's sources.
  expect(toWord(slotOf('example.main'))).toBe('0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500')
  expect(toWord(slotOf('openzeppelin.storage.Ownable'))).toBe(
    '0x9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300',
  )
})

/** Deploys a contract and calls it. Returns its variables by path; fails if a slot has no name. */
async function valuesAfter(contract: string, functionName: string, args: readonly unknown[]) {
  const to = await stage.deploy(contract)
  const data = encodeFunctionData({ abi: stage.contract(contract).abi as unknown as Abi, functionName, args })
  const from = devAccount(0).address
  const hash = await stage.node.request('eth_sendTransaction', [{ from, to, data }])
  await stage.node.clock.advance(4_000)
  const { hashed } = await stage.node.request('devnet_traceStorage', [hash])
  const { hash: block } = (await stage.node.request('eth_getBlockByNumber', ['latest', false])) ?? {}
  const { storage } = await stage.node.request('debug_storageRangeAt', [block as Hash, 0, to, toWord(0), 100])
  const slots = new Map(Object.values(storage).map(({ key, value }) => [key, value]))
  const layout = layoutOf(named(contract)) as StorageLayout
  const { variables, unnamed } = describeViews(layout, [slots], { preimages: hashed }, { fixed: true })
  expect(unnamed).toEqual([])
  return Object.fromEntries(variables.map(({ path, values }) => [path, values[0]]))
}

test("the variables of OpenZeppelin's upgradeable contracts have names and values", async () => {
  const owner = devAccount(3).address
  expect(await valuesAfter('Token', 'initialize', [owner])).toMatchObject({
    plain: '7',
    'InitializableStorage._initialized': '1',
    'InitializableStorage._initializing': 'false',
    'OwnableStorage._owner': owner,
    'ERC20Storage._totalSupply': '500',
    'ERC20Storage._name': '"Named"',
    'ERC20Storage._symbol': '"NMD"',
    [`ERC20Storage._balances[${owner}]`]: '500',
  })
})

/** A type with everything that it is made of, but without type ids, which are our own. */
function spelledOut({ types }: StorageLayout, id: string, depth = 0): unknown {
  const type = types.get(id)
  // A recursive type.
  if (!type || depth > 6) return '…'
  const { bytes, encoding, base, key, value, members } = type
  const inner = (each: string | undefined) => each && spelledOut({ types, variables: [] }, each, depth + 1)
  return {
    ...{ bytes, encoding, base: inner(base), key: inner(key), value: inner(value) },
    // The prefix says how values are shown.
    elementary: /^t_(?:u?int\d+|bool|address|bytes\d*|string)(?=$|_)/.exec(id)?.[0],
    members: members.map((member) => ({
      label: member.label,
      slot: member.slot,
      offset: member.offset,
      type: inner(member.type),
    })),
  }
}

test('a struct in a namespace is laid out as the compiler lays out the same struct as a variable', () => {
  const { build, contract } = named('Kinds')
  const ours = namespacesOf(build, contract)
  const theirs = readStorageLayout(contract.storageLayout) as StorageLayout
  expect(ours.variables).toMatchObject([{ label: 'Main', slot: slotOf('example.main'), offset: 0 }])
  const [mine, compilers] = [ours, theirs].map((layout) => spelledOut(layout, layout.variables[0]?.type ?? ''))
  expect(mine).toEqual(compilers)
  expect((mine as { members: unknown[] }).members).toHaveLength(24)
})

test('namespaces of bases come before those of the contract itself', () => {
  const { build, contract } = named('Twin')
  expect(namespacesOf(build, contract).variables.map(({ label }) => label)).toEqual(['Main', 'Main2'])
})

test('structs in the libraries and files that a contract uses are namespaces of the contract', async () => {
  const from = devAccount(0).address
  expect(await valuesAfter('Facet', 'count', [`0x${'00'.repeat(20)}`])).toEqual({
    'Layout.count': '1',
    'Layout.last': from,
    [`Layout.byCaller[${from}]`]: '5',
    'FileLayout.calls': '1',
    'Layout (Pauses).paused': 'false',
  })
})

/** The build with its ASTs changed. */
function withAst(change: (key: string, value: unknown) => unknown): Build {
  const sources = stage.build.sources.map((source) => ({
    ...source,
    ast: JSON.parse(JSON.stringify(source.ast), change) as unknown,
  }))
  return { ...stage.build, sources }
}

test.each<[string, (key: string, value: unknown) => unknown]>([
  ['whose types are unknown', (key, value) => (key === 'typeName' ? { nodeType: 'Riddle' } : value)],
  [
    'whose arrays are too long',
    (_, value) => {
      if (typeof value !== 'string') return value
      return value.replace(/_\$3_storage_ptr$/, `_$${'9'.repeat(78)}_storage_ptr`)
    },
  ],
  ['whose declarations are missing', (key, value) => (key === 'referencedDeclaration' ? -1 : value)],
  [
    'whose id cannot become text',
    (_, value) =>
      isObject(value) && value['name'] === 'Main' ? { ...value, id: { toString: null, valueOf: null } } : value,
  ],
  [
    'whose arrays are nested a thousand levels deep',
    (_, value) => {
      if (!isObject(value) || value['nodeType'] !== 'ArrayTypeName') return value
      let nested: Readonly<Record<string, unknown>> = value
      for (let i = 0; i < 1_000; i++) nested = { ...value, baseType: nested }
      return nested
    },
  ],
])('a namespace %s is left out', (_name, change) => {
  const { build, contract } = named('Kinds', withAst(change))
  expect(namespacesOf(build, contract).variables).toEqual([])
  expect(layoutOf({ build, contract: { ...contract } })?.variables).toHaveLength(1)
})

test('a namespace with an array of empty structs, which have no size, is still read', () => {
  const [, pair] = /"canonicalName":"Kinds.Pair","id":(\d+)/.exec(JSON.stringify(stage.build.sources)) ?? []
  const { build, contract } = named(
    'Kinds',
    withAst((_, value) => {
      if (!isObject(value)) return value
      if (value['id'] === Number(pair)) return { ...value, members: [] }
      const isItem = value['nodeType'] === 'ElementaryTypeName' && value['name'] === 'uint64'
      return isItem ? { nodeType: 'UserDefinedTypeName', referencedDeclaration: Number(pair) } : value
    }),
  )
  const layout = namespacesOf(build, contract)
  const main = layout.types.get(layout.variables[0]?.type ?? '')
  const list = slotOf('example.main') + (main?.members.find(({ label }) => label === 'list')?.slot ?? 0n)
  const slots = [toWord(list), keccak256(toWord(list))]
  const { variables } = describeViews(layout, [new Map(slots.map((slot) => [slot, toWord(1)]))], {}, { fixed: true })
  expect(variables.map(({ path }) => path)).toContain('Main.list')
})

test('a base that is listed many times has each of its namespaces once', () => {
  const { build, contract } = named(
    'Twin',
    withAst((key, value) =>
      key === 'linearizedBaseContracts'
        ? Array.from({ length: 1_000 }, () => value as readonly number[]).flat()
        : value,
    ),
  )
  expect(namespacesOf(build, contract).variables.map(({ label }) => label)).toEqual(['Main', 'Main2'])
})

test('names of a megabyte are cut, as the name of each type that contains them repeats them', () => {
  const { build, contract } = named(
    'Kinds',
    withAst((key, value) =>
      key === 'canonicalName' || value === 'Price' ? `${String(value)}${'x'.repeat(1 << 20)}` : value,
    ),
  )
  const { variables, types } = namespacesOf(build, contract)
  expect(variables).toHaveLength(1)
  for (const { id, label } of types.values()) expect(id.length + label.length).toBeLessThan(10_000)
})

test('a build without an AST has the variables of the compiler’s layout, and no namespaces', () => {
  const build = { ...stage.build, sources: stage.build.sources.map((source) => ({ ...source, ast: undefined })) }
  const { contract } = named('Token', build)
  expect(layoutOf({ build, contract: { ...contract } })?.variables.map(({ label }) => label)).toEqual(['plain'])
})
