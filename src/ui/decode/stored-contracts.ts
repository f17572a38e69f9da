import type { Address, Hash } from '#primitives/hex.ts'
import type { KnownContract } from './known-contracts.ts'
import { completeAbi, isAbi } from './parse-abi.ts'

/** A contract stored for later visits. */
export interface StoredContract extends KnownContract {
  readonly address: Address
  /** Hash of its code. Another chain of the same name may have other code at the address, or none. */
  readonly codeHash: Hash
}

/** A deployment that was sent and is in no block yet. */
export interface StoredAwaited extends KnownContract {
  readonly hash: Hash
}

/** One chain's stored contracts, in the order they became known. */
export interface KeptContracts {
  readonly contracts: readonly StoredContract[]
  readonly awaited: readonly StoredAwaited[]
}

const PREFIX = 'blinknet.contracts:'
/** Contracts per chain; the oldest are dropped first. */
const MAX_CONTRACTS = 50
const MAX_AWAITED = 10
/** Characters per chain; browsers give a site about five million. */
const MAX_CHARACTERS = 400_000
/** Stored chains; the one written longest ago is dropped first. */
const MAX_CHAINS = 6

interface StoredChain {
  readonly version: 1
  /** Milliseconds since the Unix epoch. */
  readonly savedAtMs: number
  readonly contracts: readonly StoredContract[]
  /** Missing in records of earlier builds. */
  readonly awaited?: readonly StoredAwaited[]
}

/**
 * Storage key for a chain's contracts.
 *
 * @param name - Name of a chain of this origin, or an endpoint's address.
 */
export function storageKey(name: string, genesisHash: Hash): string {
  return `${PREFIX}${genesisHash}:${name}`
}

/** Reads a chain's stored contracts; invalid ones are left out. */
export function readContracts(storage: Pick<Storage, 'getItem'>, key: string): KeptContracts {
  const { contracts = [], awaited = [] } = parse(storage.getItem(key)) ?? {}
  return {
    contracts: contracts.filter(isStoredContract).map(complete),
    awaited: Array.isArray(awaited) ? awaited.filter(isStoredAwaited).map(complete) : [],
  }
}

/** Earlier builds of the page stored ABIs as they were. */
function complete<Stored extends KnownContract>(stored: Stored): Stored {
  return { ...stored, abi: completeAbi(stored.abi) }
}

/**
 * Stores a chain's contracts, within limits.
 *
 * @throws {DOMException} If there is no room, or storage is forbidden.
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

/** The chains to delete to make room for this one. */
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
