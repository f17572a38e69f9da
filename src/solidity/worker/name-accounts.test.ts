import { type Abi, encodeFunctionData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { type Address, type Hash, type Hex, toWord } from '#primitives/hex.ts'
import type { RpcPrestateDiff } from '#rpc-types/methods/debug.ts'
import type { Build } from '#solidity/build/build.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { createRunVariables } from '#solidity/variables/run-variables.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { ScenarioChain } from '#testing/solidity/scenarios.ts'
import { nameAccounts } from './name-accounts.ts'

/** The slot in which a proxy keeps its implementation's address. */
const EIP_1967 = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const WHO = devAccount(0).address

let stage: ScenarioChain
/** Hash of the transaction that called `keep` through the proxy. */
let hash: Hash
let hashed: readonly Hex[]
let codes: { readonly purse: Hex; readonly proxy: Hex }
/** The proxy's storage after the call. */
let slots: Map<Hash, Hash>

beforeAll(async () => {
  stage = await ScenarioChain.open('proxy.sol', {})
  const { node } = stage
  const purse = await stage.deploy('Purse')
  const proxy = await stage.deploy('Proxy', [purse])
  const codeOf = (account: Address) => node.request('eth_getCode', [account, 'latest'])
  codes = { purse: await codeOf(purse), proxy: await codeOf(proxy) }
  const abi = stage.contract('Purse').abi as unknown as Abi
  const data = encodeFunctionData({ abi, functionName: 'keep', args: [7n] })
  hash = await node.request('eth_sendTransaction', [{ from: WHO, to: proxy, data, gas: '0x100000' }])
  await node.clock.advance(2_000)
  const config = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const { post } = (await node.request('debug_traceTransaction', [hash, config])) as RpcPrestateDiff
  slots = new Map(Object.entries(post[proxy.toLowerCase() as Address]?.storage ?? {}) as [Hash, Hash][])
  slots.set(EIP_1967, toWord(BigInt(purse)))
  hashed = (await node.request('devnet_traceStorage', [hash])).hashed
})

/** Without contracts that are not named, and with other layouts. */
function indexWith(layouts: Record<string, unknown> = {}, names = ['Purse', 'Proxy']) {
  const contracts = stage.build.contracts
    .filter(({ name }) => names.includes(name))
    .map((contract) => ({ ...contract, ...(contract.name in layouts && { storageLayout: layouts[contract.name] }) }))
  return createCodeIndex([{ ...stage.build, contracts } satisfies Build])
}

function nameProxy(index = indexWith(), asked: readonly Hex[] = [codes.purse, codes.proxy]) {
  const accounts = [{ codes: asked, views: [new Map<Hash, Hash>(), slots] }]
  return nameAccounts(index, { accounts, hashed, keys: [], which: 'changes' })[0]
}

test('the storage of a proxy is named by the layout of its implementation', () => {
  const { variables = [], ...named } = nameProxy() ?? {}
  expect(named).toEqual({ contract: 'Purse', path: 'proxy.sol', code: 0, hasLayout: true, unnamed: [EIP_1967] })
  expect(variables.map(({ path, values }) => [path, ...values])).toEqual([
    ['owner', `0x${'0'.repeat(40)}`, WHO],
    ['note', '""', '"kept"'],
    [`held[${WHO}]`, '0', '7'],
  ])
})

test('a proxy with an unknown implementation has slots without names', () => {
  const named = nameProxy(indexWith({}, ['Proxy']))
  expect(named).toMatchObject({ contract: 'Proxy', code: 1, hasLayout: true, variables: [] })
  expect(new Set(named?.unnamed)).toEqual(new Set(slots.keys()))
})

test('each account is named separately, and one with unknown code is not', () => {
  const view = { views: [new Map([[toWord(0), toWord(5)]])] }
  const accounts = [
    { codes: ['0x6001'], ...view },
    { codes: [codes.purse], ...view },
    { codes: [], ...view },
  ] as const
  const all = nameAccounts(indexWith(), { accounts, hashed: [], keys: [], which: 'all' })
  expect(all.map((named) => named?.contract)).toEqual([undefined, 'Purse', undefined])
  expect(all[1]?.variables.map(({ path, values }) => [path, ...values])).toEqual([
    ['owner', `0x${'5'.padStart(40, '0')}`],
    ['note', '""'],
    ['held', undefined],
  ])
})

test.each([
  ['has none', undefined],
  ['has a malformed one', { storage: [{ label: 7 }] }],
])('if the build %s, code with a layout is preferred; without any, nothing is named', (_what, layout) => {
  expect(nameProxy(indexWith({ Purse: layout }))).toMatchObject({ contract: 'Proxy', code: 1, hasLayout: true })
  expect(nameProxy(indexWith({ Purse: layout }, ['Purse']))).toEqual({
    ...{ contract: 'Purse', path: 'proxy.sol', code: 0 },
    ...{ hasLayout: false, variables: [], unnamed: [] },
  })
})

test('in a debugger, a proxy has the variables of its implementation while that runs', async () => {
  const trace = await stage.node.request('devnet_traceExecution', [hash])
  const storage = await stage.node.request('devnet_traceStorage', [hash])
  const at = createRunVariables(trace, storage, indexWith())
  const data = { stack: [], memory: '0x', input: '0x' } as const
  const inner = trace.frames[1]
  expect(inner?.type).toBe('DELEGATECALL')
  expect(at(0, data).state).toMatchObject({ contract: 'Proxy', variables: [{ kind: 'constant', path: 'SLOT' }] })
  expect(at((inner?.endStep ?? 0) - 1, data).state).toMatchObject({
    contract: 'Purse',
    variables: [
      { path: 'owner', value: WHO },
      { path: 'note', value: '"kept"' },
      { path: `held[${WHO}]`, value: '7' },
    ],
  })
})
