import type { Address, Hash } from '#primitives/hex.ts'
import type { KnownContract } from './known-contracts.ts'
import { isAbi } from './parse-abi.ts'

/** A contract that the browser keeps for later visits. */
export interface StoredContract extends KnownContract {
  readonly address: Address
  /** Of its code: another chain under the same name may have something else at the address, or nothing. */
  readonly codeHash: Hash
}

/** A contract that was sent to the chain, and was in no block yet. */
export interface StoredAwaited extends KnownContract {
  readonly hash: Hash
}

/** Stored contracts of one chain, in the order in which they became known. */
export interface KeptContracts {
  readonly contracts: readonly StoredContract[]
  readonly awaited: readonly StoredAwaited[]
}

const PREFIX = 'blinknet.contracts:'
/** Of one chain; those that became known first are let go. */
const MAX_CONTRACTS = 50
const MAX_AWAITED = 10
/** Characters of one chain's contracts: browsers give a site about five million. */
const MAX_CHARACTERS = 400_000
/** The ones that were written longest ago are let go. */
const MAX_CHAINS = 6

interface StoredChain {
  readonly version: 1
  /** Milliseconds since the Unix epoch. */
  readonly savedAtMs: number
  readonly contracts: readonly StoredContract[]
  /** Records of earlier builds have none. */
  readonly awaited?: readonly StoredAwaited[]
}

/** Storage key for the contracts of a chain. @param name - Of a chain of this origin, or an endpoint's address. */
export function storageKey(name: string, genesisHash: Hash): string {
  return `${PREFIX}${genesisHash}:${name}`
}

/** Reads the stored contracts of a chain; invalid ones are left out. */
export function readContracts(storage: Pick<Storage, 'getItem'>, key: string): KeptContracts {
  const { contracts = [], awaited = [] } = parse(storage.getItem(key)) ?? {}
  return {
    contracts: contracts.filter(isStoredContract),
    awaited: Array.isArray(awaited) ? awaited.filter(isStoredAwaited) : [],
  }
}

/**
 * Keeps the contracts of a chain, within bounds.
 *
 * @throws {DOMException} If there is no room for them, or storage is forbidden.
 */
export function writeContracts(
  storage: Storage,
  key: string,
  { contracts, awaited }: KeptContracts,
  savedAtMs: number,
): void {
  const kept = { contracts: contracts.slice(-MAX_CONTRACTS), awaited: awaited.slice(-MAX_AWAITED) }
  const isNothing = () => kept.contracts.length + kept.awaited.length === 0
  let text = serialize(kept, savedAtMs)
  while (text.length > MAX_CHARACTERS && !isNothing()) {
    ;(kept.contracts.length > 0 ? kept.contracts : kept.awaited).shift()
    text = serialize(kept, savedAtMs)
  }
  if (isNothing()) return storage.removeItem(key)
  for (const other of oldestChains(storage, key)) storage.removeItem(other)
  storage.setItem(key, text)
}

function serialize(kept: KeptContracts, savedAtMs: number): string {
  return JSON.stringify({ version: 1, savedAtMs, ...kept } satisfies StoredChain)
}

/** The chains that have to go so that there is room for this one. */
function oldestChains(storage: Storage, key: string): readonly string[] {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i))
  const others = keys.filter((other) => other !== null && other.startsWith(PREFIX) && other !== key) as string[]
  const age = (other: string) => parse(storage.getItem(other))?.savedAtMs ?? 0
  return others.toSorted((a, b) => age(b) - age(a)).slice(MAX_CHAINS - 1)
}

function parse(text: string | null): StoredChain | undefined {
  if (text === null) return undefined
  try {
    const stored = JSON.parse(text) as Partial<StoredChain> | null
    const isKnown = stored?.version === 1 && typeof stored.savedAtMs === 'number' && Array.isArray(stored.contracts)
    return isKnown ? (stored as StoredChain) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isStoredContract(value: unknown): value is StoredContract {
  const { address, codeHash } = (value ?? {}) as Partial<Record<keyof StoredContract, unknown>>
  return /^0x[0-9a-f]{40}$/.test(String(address)) && isHash(codeHash) && isKnownContract(value)
}

function isStoredAwaited(value: unknown): value is StoredAwaited {
  return isHash((value as Partial<StoredAwaited> | null)?.hash) && isKnownContract(value)
}

function isHash(value: unknown): value is Hash {
  return /^0x[0-9a-f]{64}$/.test(String(value))
}

function isKnownContract(value: unknown): value is KnownContract {
  const { name, abi, source, deployment } = (value ?? {}) as Partial<Record<keyof KnownContract, unknown>>
  const isText = source === undefined || typeof source === 'string'
  return typeof name === 'string' && isAbi(abi) && isText && (deployment === undefined || isHash(deployment))
}
