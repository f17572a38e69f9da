import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { findProxy, findProxyThen } from './proxies.ts'

const PROXY = `0x${'aa'.repeat(20)}` as const
const BEACON = `0x${'bb'.repeat(20)}` as const
const CODE = `0x${'cc'.repeat(20)}` as const
const ADMIN = `0x${'dd'.repeat(20)}` as const
const word = (address: Address): Hex => `0x${'0'.repeat(24)}${address.slice(2)}`

const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'

/** A chain with one contract, and what a call of the beacon answers. */
function chain(code: Hex, slots: Readonly<Record<string, Hex>>, answer?: () => Hex): BlinknetProvider {
  const request = async ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) => {
    if (method === 'eth_getCode') return code
    if (method === 'eth_getStorageAt') return slots[String(params[1])] ?? `0x${'0'.repeat(64)}`
    if (method === 'eth_call' && (params[0] as { to: string }).to === BEACON && answer) return answer()
    throw new Error(`${method} was not expected`)
  }
  return { request } as unknown as BlinknetProvider
}

test('a proxy of EIP-1967 is found by its slot, with its admin', async () => {
  expect(await findProxy(chain('0x6001', { [IMPLEMENTATION_SLOT]: word(CODE) }), PROXY)).toEqual({
    kind: 'EIP-1967',
    implementation: CODE,
  })
  const slots = { [IMPLEMENTATION_SLOT]: word(CODE), [ADMIN_SLOT]: word(ADMIN) }
  expect(await findProxy(chain('0x6001', slots), PROXY)).toMatchObject({ admin: ADMIN })
})

test('a proxy with a beacon runs what the beacon names', async () => {
  const slots = { [BEACON_SLOT]: word(BEACON) }
  expect(
    await findProxy(
      chain('0x6001', slots, () => word(CODE)),
      PROXY,
    ),
  ).toEqual({
    kind: 'beacon',
    implementation: CODE,
    beacon: BEACON,
  })
  // A call that reverts, or never ends.
  for (const error of [new ProviderRpcError(3, 'execution reverted'), new ProviderRpcError(-32000, 'out of gas')]) {
    const fails = () => {
      throw error
    }
    expect(await findProxy(chain('0x6001', slots, fails), PROXY)).toBeNull()
  }
  expect(
    await findProxy(
      chain('0x6001', slots, () => '0x'),
      PROXY,
    ),
  ).toBeNull()
})

test('a minimal proxy is found by its code, also with arguments behind it', async () => {
  const code: Hex = `0x363d3d373d3d3d363d73${CODE.slice(2)}5af43d82803e903d91602b57fd5bf3`
  expect(await findProxy(chain(code, {}), PROXY)).toEqual({ kind: 'minimal', implementation: CODE })
  expect(await findProxy(chain(`${code}0102`, {}), PROXY)).toEqual({ kind: 'minimal', implementation: CODE })
})

/** Code of the proxy of Safe 1.5.0, as its authors compiled it with solc 0.7.6. */
const SAFE_1_5: Hex =
  '0x608060405260005463a619486e60003560e01c14156024578060601b606c5260206060f35b3660008037600080366000845af43d6000803e806040573d6000fd5b3d6000f3fea2646970667358221220e61834ebd2d8cd909d362bf67c47ef58fd665df38e6dd036ce65611101d072e964736f6c63430007060033'

/** A chain with one contract that answers calls by their selectors. */
function answering(code: Hex, slots: Readonly<Record<string, Hex>>, answers: Readonly<Record<string, Hex>>) {
  const request = async ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) => {
    if (method === 'eth_getCode') return code
    if (method === 'eth_getStorageAt') return slots[String(params[1])] ?? `0x${'0'.repeat(64)}`
    const answer = answers[(params[0] as { input: string }).input]
    if (method === 'eth_call' && answer !== undefined) return answer
    throw new ProviderRpcError(3, 'execution reverted')
  }
  return { request } as unknown as BlinknetProvider
}

test('a Safe is known by what it answers, however its proxy was compiled', async () => {
  const safe = answering(SAFE_1_5, { '0x0': word(CODE) }, { '0xa619486e': word(CODE) })
  expect(await findProxy(safe, PROXY)).toEqual({ kind: 'Safe', implementation: CODE })
  const other = answering(SAFE_1_5, { '0x0': word(CODE) }, { '0xa619486e': word(ADMIN) })
  expect(await findProxy(other, PROXY)).toBeNull()
  expect(await findProxy(answering(SAFE_1_5, { '0x0': word(CODE) }, {}), PROXY)).toBeNull()
})

/** Code that delegates. */
const DELEGATING: Hex = '0x60f436600080375af4'
const facets = (all: readonly { readonly facet: Address; readonly selectors: readonly Hex[] }[]) =>
  encodeAbiParameters(
    [
      {
        type: 'tuple[]',
        components: [
          { name: 'facet', type: 'address' },
          { name: 'selectors', type: 'bytes4[]' },
        ],
      },
    ],
    [all],
  )

test('a diamond has the functions of its facets', async () => {
  const answer = facets([
    { facet: CODE, selectors: ['0x01020304', '0x05060708'] },
    { facet: ADMIN, selectors: ['0x0a0b0c0d'] },
  ])
  expect(await findProxy(answering(DELEGATING, {}, { '0x7a0ed627': answer }), PROXY)).toEqual({
    kind: 'diamond',
    facets: [
      { address: CODE, selectors: ['0x01020304', '0x05060708'] },
      { address: ADMIN, selectors: ['0x0a0b0c0d'] },
    ],
  })
  // 0xf4 that is pushed is no instruction.
  expect(await findProxy(answering('0x60f400', {}, { '0x7a0ed627': answer }), PROXY)).toBeNull()
})

test.each([
  ['nothing', '0x'],
  ['a word', word(CODE)],
  ['noise', `0x${'ff'.repeat(320)}`],
  ['no facet', facets([])],
  ['too many facets', facets(Array.from({ length: 201 }, () => ({ facet: CODE, selectors: [] })))],
  ['an endless answer', `0x${'00'.repeat(200_000)}`],
] as const)('a contract that delegates and answers %s is no diamond', async (_what, answer) => {
  expect(await findProxy(answering(DELEGATING, {}, { '0x7a0ed627': answer }), PROXY)).toBeNull()
})

test('a contract that keeps something else in those slots is no proxy', async () => {
  expect(await findProxy(chain('0x6001', { [IMPLEMENTATION_SLOT]: `0x${'ff'.repeat(32)}` }), PROXY)).toBeNull()
  expect(await findProxy(chain('0x6001', {}), PROXY)).toBeNull()
})

/** A chain whose states differ: what is there by block; a block that is not named has no state any more. */
function chainOf(states: Readonly<Record<string, Parameters<typeof chain>>>): BlinknetProvider {
  const request = async (asked: { readonly method: string; readonly params: readonly unknown[] }) => {
    const state = states[String(asked.params.at(-1))]
    if (!state) throw new ProviderRpcError(-32000, 'the state is no longer there')
    return chain(...state).request(asked)
  }
  return { request } as unknown as BlinknetProvider
}

const OTHER = `0x${'ee'.repeat(20)}` as const
const AT = { parent: '0x4', block: '0x5' } as const
const diff = (slots: Readonly<Record<string, Hex>> = {}) => ({
  address: PROXY,
  before: new Map(),
  after: new Map(Object.entries(slots)) as ReadonlyMap<Hex, Hex>,
})

test('for a transaction, a proxy is of the code whose address it read or wrote, whatever it runs today', async () => {
  const today = chainOf({ pending: ['0x6001', { [IMPLEMENTATION_SLOT]: word(OTHER) }] })
  expect(await findProxyThen(today, diff({ [IMPLEMENTATION_SLOT]: word(CODE) }), AT)).toEqual({
    kind: 'EIP-1967',
    implementation: CODE,
  })
})

test('where the trace does not tell, the states around the block do, if both have the same', async () => {
  const of = (address: Address): Parameters<typeof chain> => ['0x6001', { [IMPLEMENTATION_SLOT]: word(address) }]
  const none: Parameters<typeof chain> = ['0x6001', {}]
  const then = (parent: Parameters<typeof chain>, block: Parameters<typeof chain>) =>
    findProxyThen(chainOf({ '0x4': parent, '0x5': block, pending: of(OTHER) }), diff(), AT)
  expect(await then(of(CODE), of(CODE))).toMatchObject({ implementation: CODE })
  expect(await then(none, none)).toBeNull()
  // Another transaction of the block has changed it, before or after this one.
  expect(await then(of(CODE), of(OTHER))).toBeUndefined()
  expect(await then(none, of(CODE))).toBeUndefined()
  expect(await then(of(CODE), none)).toBeUndefined()
})

test('a proxy that its block created is told by its code, or by a beacon that was there before', async () => {
  const minimal: Hex = `0x363d3d373d3d3d363d73${CODE.slice(2)}5af43d82803e903d91602b57fd5bf3`
  expect(await findProxyThen(chainOf({ '0x4': ['0x', {}], '0x5': [minimal, {}] }), diff(), AT)).toMatchObject({
    implementation: CODE,
  })
  const beacon = (named: Address): Parameters<typeof chain> => [
    '0x6001',
    { [BEACON_SLOT]: word(BEACON) },
    () => word(named),
  ]
  const before = (named: Address): Parameters<typeof chain> => ['0x', {}, () => word(named)]
  expect(await findProxyThen(chainOf({ '0x4': before(CODE), '0x5': beacon(CODE) }), diff(), AT)).toMatchObject({
    kind: 'beacon',
    implementation: CODE,
  })
  expect(await findProxyThen(chainOf({ '0x4': before(OTHER), '0x5': beacon(CODE) }), diff(), AT)).toBeUndefined()
})

test('without the state of the time, today’s implementation is not taken for that of the time', async () => {
  const today: Parameters<typeof chain> = ['0x6001', { [IMPLEMENTATION_SLOT]: word(CODE) }]
  expect(await findProxyThen(chainOf({ pending: today }), diff(), AT)).toBeUndefined()
  expect(await findProxyThen(chainOf({ pending: today, '0x5': today }), diff(), AT)).toBeUndefined()
})
