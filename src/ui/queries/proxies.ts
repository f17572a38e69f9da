import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { unlessRefused } from '#client/session/provider.ts'
import { type Address, type Hex, toQuantity } from '#primitives/hex.ts'
import type { StorageDiff } from '#ui/execution/storage-diff.ts'

/** Slots of EIP-1967, each the keccak-256 of a name, less one. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
/** Slots of proxies that came before EIP-1967. They stand in the code, so nobody else's storage is asked for them. */
const OLDER_SLOTS = [
  ['ZeppelinOS', '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'],
  ['EIP-1822', '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'],
] as const
/** How the code of a Safe begins: it runs that of the contract in its first slot, and answers `masterCopy()` itself. */
const SAFE = /^0x608060405273f{40}(?:6000|5f)54167fa619486e/
/** `masterCopy()`, which the code of every Safe answers, however it was compiled: it pushes this selector. */
const MASTER_COPY_CALL = '0xa619486e'
const PUSHES_MASTER_COPY = /(?:63|7f)a619486e/
/** Longest code of a Safe, in characters; it has no functions but that one. */
const MAX_SAFE_CODE = 1_000
/** `facets()`, which a diamond answers: the contracts whose functions it has. */
const FACETS_CALL = '0x7a0ed627'
/** Gas of that call, which goes over all functions. */
const FACETS_GAS = toQuantity(10_000_000)
/** Most characters of its answer, facets and functions that are read; those of large diamonds are a few hundred. */
const MAX_FACETS_ANSWER = 2 * 128 * 1024
const MAX_FACETS = 200
const MAX_FACET_FUNCTIONS = 2_000
const DELEGATECALL = 0xf4
/** `implementation()`, which a beacon answers. */
const IMPLEMENTATION_CALL = '0x5c60da1b'
/** Gas of that call: a contract that goes on for ever stops here. */
const CALL_GAS = toQuantity(500_000)
/** EIP-1167; what follows it are arguments that some factories append. */
const MINIMAL = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/

/** A contract that runs the code of others on its own storage. */
export type Proxy = SingleProxy | Diamond

/** A contract of EIP-2535, which has the functions of several others. */
export interface Diamond {
  readonly kind: 'diamond'
  readonly facets: readonly Facet[]
}

/** One of the contracts of a diamond, with the selectors of the functions that it runs there. */
export interface Facet {
  readonly address: Address
  readonly selectors: readonly Hex[]
}

/** A contract that runs the code of another one on its own storage. */
export interface SingleProxy {
  readonly kind: 'EIP-1967' | 'beacon' | 'minimal' | 'Safe' | (typeof OLDER_SLOTS)[number][0]
  readonly implementation: Address
  /** The contract that names the implementation. */
  readonly beacon?: Address
  /** Who may change the implementation. */
  readonly admin?: Address
}

/**
 * What a contract is a proxy of, in the pending block; `null` if it is none.
 *
 * @param version - Changes whenever to ask again.
 * @see {@link https://eips.ethereum.org/EIPS/eip-1967 | EIP-1967}
 * @see {@link https://eips.ethereum.org/EIPS/eip-1167 | EIP-1167}
 * @see {@link https://eips.ethereum.org/EIPS/eip-2535 | EIP-2535}
 */
export const proxyQuery = (provider: BlinknetProvider, address: Address, version: string | undefined) =>
  queryOptions({
    queryKey: ['proxy', address, version],
    queryFn: () => findProxy(provider, address),
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })

/** A block, by its number or its tag. */
export type At = Hex | 'pending' | 'latest'

/** What a contract is a proxy of, in a block; `null` if it is none. */
export async function findProxy(
  provider: BlinknetProvider,
  address: Address,
  at: At = 'pending',
): Promise<Proxy | null> {
  const slot = async (key: Hex) =>
    addressOf(await provider.request({ method: 'eth_getStorageAt', params: [address, key, at] }))
  const [code, implementation, beacon, admin] = await Promise.all([
    provider.request({ method: 'eth_getCode', params: [address, at] }),
    slot(IMPLEMENTATION_SLOT),
    slot(BEACON_SLOT),
    slot(ADMIN_SLOT),
  ])
  const minimal = MINIMAL.exec(code)?.[1]
  if (minimal !== undefined) return { kind: 'minimal', implementation: `0x${minimal}` }
  const owned = admin && { admin }
  if (implementation) return { kind: 'EIP-1967', implementation, ...owned }
  const named = beacon && (await implementationOf(provider, beacon, at))
  if (beacon && named) return { kind: 'beacon', implementation: named, beacon, ...owned }
  for (const [kind, key] of olderSlotsIn(code)) {
    const older = await slot(key)
    if (older) return { kind, implementation: older }
  }
  const singleton = PUSHES_MASTER_COPY.test(code) && code.length < MAX_SAFE_CODE ? await slot('0x0') : undefined
  if (singleton && singleton === (await answeredAddress(provider, address, MASTER_COPY_CALL, at))) {
    return { kind: 'Safe', implementation: singleton }
  }
  return delegates(code) ? findDiamond(provider, address, at) : null
}

/** The contracts whose code a proxy runs. */
export function contractsBehind(proxy: Proxy | null | undefined): readonly Address[] {
  if (!proxy) return []
  return proxy.kind === 'diamond' ? proxy.facets.map((facet) => facet.address) : [proxy.implementation]
}

/** Whether some code runs that of others. */
export function delegates(code: Hex): boolean {
  for (let at = 2; at < code.length; at += 2) {
    const op = Number.parseInt(code.slice(at, at + 2), 16)
    if (op === DELEGATECALL) return true
    if (op >= 0x60 && op <= 0x7f) at += 2 * (op - 0x5f)
  }
  return false
}

/** A contract that tells its facets, as diamonds do; its own code has none of their functions. */
async function findDiamond(provider: BlinknetProvider, address: Address, at: At): Promise<Diamond | null> {
  const call = { to: address, input: FACETS_CALL, gas: FACETS_GAS } as const
  const answer = await unlessRefused(provider.request({ method: 'eth_call', params: [call, at] }))
  const facets = answer === undefined ? undefined : await readFacets(answer)
  return facets ? { kind: 'diamond', facets } : null
}

/** The answer of `facets()`; `undefined` if it is something else. */
async function readFacets(answer: Hex): Promise<readonly Facet[] | undefined> {
  if (answer.length < 2 + 3 * 64 || answer.length > MAX_FACETS_ANSWER) return undefined
  const { decodeAbiParameters, BaseError } = await import('viem')
  try {
    const [read] = decodeAbiParameters(FACETS_ANSWER, answer)
    const facets = read.map(({ facet, selectors }) => ({ address: facet.toLowerCase() as Address, selectors }))
    const functions = facets.reduce((sum, { selectors }) => sum + selectors.length, 0)
    return facets.length > 0 && facets.length <= MAX_FACETS && functions <= MAX_FACET_FUNCTIONS ? facets : undefined
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}

const FACETS_ANSWER = [
  {
    type: 'tuple[]',
    components: [
      { name: 'facet', type: 'address' },
      { name: 'selectors', type: 'bytes4[]' },
    ],
  },
] as const

/** The slots that such code takes its implementation from. */
function olderSlotsIn(code: Hex): readonly (readonly [SingleProxy['kind'], Hex])[] {
  if (SAFE.test(code)) return [['Safe', '0x0']]
  return OLDER_SLOTS.filter(([, key]) => code.includes(key.slice(2)))
}

/**
 * What a contract was a proxy of for a transaction that changed its storage; `null` if it was none, `undefined` if that is
 * not known: the chain no longer has the states around it, or another transaction of the block may have changed it.
 *
 * @param at - The transaction's block, and the one before.
 */
export async function findProxyThen(
  provider: BlinknetProvider,
  { address, after }: StorageDiff,
  at: { readonly parent: At; readonly block: At },
): Promise<Proxy | null | undefined> {
  // The execution has read or written the slot: then this is what it was at the time.
  const named = addressOf(after.get(IMPLEMENTATION_SLOT) ?? '0x')
  if (named) return { kind: 'EIP-1967', implementation: named }
  const [before, then] = await Promise.all(
    [at.parent, at.block].map((block) => unlessRefused(findProxy(provider, address, block))),
  )
  if (before === undefined || then === undefined) return undefined
  if (then?.kind === 'minimal') return then
  // For a proxy that the block created, its beacon tells, if that was there before.
  const beacon = then?.kind === 'beacon' ? then.beacon : undefined
  const old = beacon ? [await implementationOf(provider, beacon, at.parent)] : contractsBehind(before)
  return old.join() === contractsBehind(then).join() ? then : undefined
}

/** What a beacon names; `undefined` if it is none. */
function implementationOf(provider: BlinknetProvider, beacon: Address, at: At): Promise<Address | undefined> {
  return answeredAddress(provider, beacon, IMPLEMENTATION_CALL, at)
}

/** The address that a contract answers with. */
async function answeredAddress(
  provider: BlinknetProvider,
  to: Address,
  input: Hex,
  at: At,
): Promise<Address | undefined> {
  const call = { to, input, gas: CALL_GAS } as const
  const answer = await unlessRefused(provider.request({ method: 'eth_call', params: [call, at] }))
  return answer && addressOf(answer)
}

/** An address in a word, if there is one. */
function addressOf(word: Hex): Address | undefined {
  const digits = /^0x0{24}([0-9a-f]{40})$/.exec(word)?.[1]
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`
}
