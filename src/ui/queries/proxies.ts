import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Address, type Hex, toQuantity } from '#primitives/hex.ts'
import type { StorageDiff } from '#ui/execution/storage-diff.ts'
import { unlessRefused } from './traces.ts'

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
/** `implementation()`, which a beacon answers. */
const IMPLEMENTATION_CALL = '0x5c60da1b'
/** Gas of that call: a contract that goes on for ever stops here. */
const CALL_GAS = toQuantity(500_000)
/** EIP-1167; what follows it are arguments that some factories append. */
const MINIMAL = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/

/** A contract that runs the code of another one on its own storage. */
export interface Proxy {
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
  return null
}

/** The slots that such code takes its implementation from. */
function olderSlotsIn(code: Hex): readonly (readonly [Proxy['kind'], Hex])[] {
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
  // It has read or written the slot: then this is what it was at the time.
  const named = addressOf(after.get(IMPLEMENTATION_SLOT) ?? '0x')
  if (named) return { kind: 'EIP-1967', implementation: named }
  const [before, then] = await Promise.all(
    [at.parent, at.block].map((block) => unlessRefused(findProxy(provider, address, block))),
  )
  if (before === undefined || then === undefined) return undefined
  if (then?.kind === 'minimal') return then
  // For a proxy that the block created, its beacon tells, if that was there before.
  const old = then?.beacon ? await implementationOf(provider, then.beacon, at.parent) : before?.implementation
  return old === then?.implementation ? then : undefined
}

/** What a beacon names; `undefined` if it is none. */
async function implementationOf(provider: BlinknetProvider, beacon: Address, at: At): Promise<Address | undefined> {
  const call = { to: beacon, input: IMPLEMENTATION_CALL, gas: CALL_GAS } as const
  const answer = await unlessRefused(provider.request({ method: 'eth_call', params: [call, at] }))
  return answer && addressOf(answer)
}

/** An address in a word, if there is one. */
function addressOf(word: Hex): Address | undefined {
  const digits = /^0x0{24}([0-9a-f]{40})$/.exec(word)?.[1]
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`
}
