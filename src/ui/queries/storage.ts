import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { unlessRefused } from '#client/session/provider.ts'
import { solidityReader } from '#client/solidity-reader.ts'
import { type Address, type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import type { RpcPrestateDiff } from '#rpc-types/methods/debug.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { Slots } from '#solidity/storage/describe-slots.ts'
import type { NamedAccount, StorageQuestion } from '#solidity/worker/messages.ts'
import { type StorageDiff, storageDiffs, storageOf } from '#ui/execution/storage-diff.ts'
import { wordsSeen } from '#ui/execution/words-seen.ts'
import { useProvider } from '#ui/page/session.ts'
import { fetchStorage, type Storage } from './accounts.ts'
import { versionOf } from './executions.ts'
import { type KnownBuilds, useKnownBuilds } from './known-builds.ts'
import type { CodeAt } from './node-builds.ts'
import { type At, findProxy, findProxyThen, type Proxy } from './proxies.ts'
import { unlessMissing } from './traces.ts'

/** Transactions of an account that are looked into for keys of mappings. */
const SEARCHED = 25
/** Most hashed inputs that are kept of them. */
const MOST_HASHED = 20_000
/** Slots that `eth_getStorageValues` answers at once, and slots whose sealed values are asked for at all. */
const SLOTS_AT_ONCE = 1_024
const MOST_SLOTS = 16 * SLOTS_AT_ONCE
/** Contracts that are told of one transaction. */
const MOST_CONTRACTS = 50
/** Milliseconds for which what nothing shows is kept. */
const KEPT_MS = 5_000
/** Milliseconds for which the hashed inputs of a transaction are kept after they were last asked for. */
const HINTS_KEPT_MS = 30_000

type Hints = Pick<StorageQuestion, 'hashed' | 'keys'>

const NO_HINTS: Hints = { hashed: [], keys: [] }

/** An account's storage, sealed and pending. */
export interface AccountStorage {
  readonly sealed: Storage
  readonly pending: Storage
  /**
   * With the values sealed and pending; `undefined` if no build of its code is known, or if there are slots that
   * were not fetched: they would be taken for 0.
   */
  readonly named: NamedAccount | undefined
  /** Whose layout it is, if not that of the account's own code. */
  readonly implementation: Address | undefined
}

/**
 * A key that changes with the storage or the code of an account, sealed or pending: with the roots of its storage tries.
 *
 * @param version - Changes with every block that may have changed them.
 */
const storageRootsQuery = (provider: BlinknetProvider, address: Address, version: string) =>
  queryOptions({
    queryKey: ['storage roots', address, version],
    queryFn: async () => {
      const proofs = await Promise.all(
        (['latest', 'pending'] as const).map((block) =>
          provider.request({ method: 'eth_getProof', params: [address, [], block] }),
        ),
      )
      return proofs.map(({ storageHash, codeHash }) => `${storageHash} ${codeHash}`).join()
    },
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: KEPT_MS,
  })

/** An account's storage, with its variables named. @param roots - As of `storageRootsQuery`; `undefined` until they are known. */
export const storageQuery = (
  provider: BlinknetProvider,
  builds: KnownBuilds,
  address: Address,
  roots: string | undefined,
) =>
  queryOptions({
    queryKey: ['storage', address, ...builds.key, roots],
    queryFn: async ({ signal, client }): Promise<AccountStorage> => {
      const [sealed, pending, code] = await Promise.all([
        fetchStorage(provider, address, 'latest'),
        fetchStorage(provider, address, 'pending'),
        fetchCodes(provider, address),
      ])
      if (!sealed.isWhole || !pending.isWhole) return { sealed, pending, named: undefined, implementation: undefined }
      const accounts = [{ codes: hexOf(code), views: [new Map(sealed.slots), new Map(pending.slots)] }]
      const sources = await builds.find(code.codes, signal)
      const ask = async (hints: Hints) =>
        solidityReader.ask('storage', sources, { accounts, which: 'all', ...hints }, signal)
      const [plain] = await ask(NO_HINTS)
      const isNamed = !plain?.hasLayout || plain.unnamed.length === 0
      const [named] = isNamed ? [plain] : await ask(await fetchHints(provider, client, address, signal))
      return { sealed, pending, named, implementation: implementationOf(named, code) }
    },
    enabled: roots !== undefined,
    // Read again when its roots come back, as it may have changed after they were asked for and before it was read.
    staleTime: 0,
    gcTime: KEPT_MS,
    structuralSharing: false,
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
  })

/**
 * An account's storage as of the newest sealed and the pending block, with its variables named. As it may be large, it is
 * only read again when its roots say that it has changed.
 *
 * @param version - Changes with every block that may have changed it.
 */
export function useAccountStorage(address: Address, version: string) {
  const provider = useProvider()
  const builds = useKnownBuilds()
  const roots = useQuery(storageRootsQuery(provider, address, version))
  const newest = roots.data
  const [read, setRead] = useState(newest)
  const storage = useQuery(storageQuery(provider, builds, address, read))
  // One reading after the other: if the storage changes faster than it can be read, none would ever end.
  if (!storage.isFetching && read !== newest) setRead(newest)
  return { data: storage.data, error: roots.error ?? storage.error }
}

/** What a transaction changed in the storage of one contract. */
export interface ContractChanges {
  readonly address: Address
  /** The values of its slots before the transaction, after it, and sealed: the last is left out if it is not known. */
  readonly views: readonly Slots[]
  /** With the same values; `undefined` if no build of its code is known. */
  readonly named: NamedAccount | undefined
  /** Whose layout it is, if not that of the contract's own code: of a proxy what it ran at the time. */
  readonly implementation: Address | undefined
  /** Whether it cannot be told what it was a proxy of at the time. */
  readonly isProxyUnknown: boolean
}

export interface StateChanges {
  readonly contracts: readonly ContractChanges[]
  /** Contracts that are not told. */
  readonly more: number
  /** Number of the block whose values are the sealed ones; `undefined` if they are not known. */
  readonly sealedAt: Hex | undefined
}

/**
 * What a transaction changed in storages; `null` if the chain does not support traces.
 *
 * @param isSealed - Until then the sealed values are those of the newest sealed block.
 */
export function useStateChanges(tx: RpcTransaction, receipt: RpcReceipt, isSealed: boolean) {
  const provider = useProvider()
  const builds = useKnownBuilds()
  const { data: diffs, ...traced } = useQuery(diffsQuery(provider, tx.hash, versionOf(receipt)))
  const named = useQuery({
    queryKey: ['state changes', tx.hash, ...builds.key, versionOf(receipt), isSealed],
    queryFn: async ({ signal }): Promise<StateChanges | null> => {
      if (!diffs) return null
      const told = diffs.changed.slice(0, MOST_CONTRACTS)
      const [codes, sealed] = await Promise.all([
        Promise.all(told.map((diff) => fetchCodesThen(provider, diff, blocksOf(receipt, isSealed)))),
        fetchSealed(provider, told, isSealed ? receipt.blockNumber : undefined),
      ])
      const asked = told.map(({ address, before, after }, i) => {
        const now = sealed?.values.get(address)
        return { codes: hexOf(codes[i]), views: now ? [before, after, now] : [before, after] }
      })
      const keys = wordsSeen([tx], [receipt])
      const question = { accounts: asked, which: 'changes', hashed: diffs.hashed, keys } as const
      const sources = await builds.find(
        codes.flatMap((each) => each.codes),
        signal,
      )
      const answer = await solidityReader.ask('storage', sources, question, signal)
      const contracts = told.map(({ address }, i) => ({
        address,
        views: asked[i]?.views ?? [],
        named: answer[i],
        implementation: implementationOf(answer[i], codes[i]),
        isProxyUnknown: codes[i]?.proxy === undefined,
      }))
      return { contracts, more: diffs.changed.length - told.length, sealedAt: sealed?.block }
    },
    enabled: diffs !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
    placeholderData: (previous, query) => (query?.queryKey[1] === tx.hash ? previous : undefined),
  })
  return { data: named.data, error: traced.error ?? named.error }
}

const DIFF_TRACER = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } } as const

/** What a transaction changed, and what it hashed; `null` if the chain does not support traces. */
const diffsQuery = (provider: BlinknetProvider, hash: Hash, version: string) =>
  queryOptions({
    queryKey: ['storage diffs', hash, version],
    queryFn: async () => {
      const [diff, storage] = await Promise.all([
        unlessMissing(provider.request({ method: 'debug_traceTransaction', params: [hash, DIFF_TRACER] })),
        unlessMissing(provider.request({ method: 'devnet_traceStorage', params: [hash] })),
      ])
      if (!diff) return null
      return { changed: storageDiffs(diff as RpcPrestateDiff, storage?.before ?? {}), hashed: storage?.hashed ?? [] }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  })

interface Codes {
  /** Codes that may know the layout, the best first. */
  readonly codes: readonly CodeAt[]
  /** `undefined` if it is not known. */
  readonly proxy: Proxy | null | undefined
}

async function fetchCodes(provider: BlinknetProvider, address: Address): Promise<Codes> {
  return fetchCodesOf(provider, address, await findProxy(provider, address), 'pending')
}

interface Blocks {
  readonly parent: At
  readonly block: At
}

/** A transaction's block, and the one before. */
function blocksOf({ blockNumber }: RpcReceipt, isSealed: boolean): Blocks {
  return isSealed
    ? { parent: toQuantity(BigInt(blockNumber) - 1n), block: blockNumber }
    : { parent: 'latest', block: 'pending' }
}

/** Codes of an account that a transaction changed: as it was then. */
async function fetchCodesThen(provider: BlinknetProvider, diff: StorageDiff, blocks: Blocks): Promise<Codes> {
  const proxy = await findProxyThen(provider, diff, blocks)
  if (proxy === undefined) return { codes: [], proxy }
  const codes = await unlessRefused(fetchCodesOf(provider, diff.address, proxy, blocks.block))
  return codes ?? { codes: [], proxy: undefined }
}

async function fetchCodesOf(provider: BlinknetProvider, address: Address, proxy: Proxy | null, at: At): Promise<Codes> {
  const codeOf = async (account: Address): Promise<CodeAt> => ({
    address: account,
    code: await provider.request({ method: 'eth_getCode', params: [account, at] }),
    isCreation: false,
  })
  const own = await codeOf(address)
  // The facets of a diamond share namespaces, so its own code is the best guess at the layout.
  const behind = proxy && proxy.kind !== 'diamond' ? [await codeOf(proxy.implementation)] : []
  return { codes: [...behind, own], proxy }
}

function hexOf(codes: Codes | undefined): readonly Hex[] {
  return codes?.codes.map(({ code }) => code) ?? []
}

function implementationOf(named: NamedAccount | undefined, codes: Codes | undefined): Address | undefined {
  const proxy = codes?.proxy
  return named?.code === 0 && proxy && proxy.kind !== 'diamond' ? proxy.implementation : undefined
}

/** What the newest transactions of an account tell of the keys of its mappings. */
async function fetchHints(
  provider: BlinknetProvider,
  client: QueryClient,
  address: Address,
  signal: AbortSignal,
): Promise<Hints> {
  const [page, pending] = await Promise.all([
    provider.request({ method: 'ots_searchTransactionsBefore', params: [address, 0, SEARCHED] }),
    provider.request({ method: 'eth_getBlockByNumber', params: ['pending', true] }),
  ])
  const waiting = (pending?.transactions ?? []) as readonly RpcTransaction[]
  const txs = [...waiting.filter(({ to }) => to === address).toReversed(), ...page.txs].slice(0, SEARCHED)
  const hashed = new Set<Hex>()
  for (const { hash } of txs) {
    signal.throwIfAborted()
    for (const input of await client.fetchQuery(hashedQuery(provider, hash))) hashed.add(input)
    if (hashed.size >= MOST_HASHED) break
  }
  return { hashed: [...hashed].slice(0, MOST_HASHED), keys: wordsSeen(txs, page.receipts) }
}

/** What a transaction hashed. It is asked for once: whatever becomes of the transaction, this stays the same. */
const hashedQuery = (provider: BlinknetProvider, tx: Hash) =>
  queryOptions({
    queryKey: ['hashed inputs', tx],
    queryFn: async () => {
      // One that the chain cannot execute any more, as a reorg has dropped it, tells no keys.
      const traced = await unlessRefused(provider.request({ method: 'devnet_traceStorage', params: [tx] }))
      return traced?.hashed.slice(0, MOST_HASHED) ?? []
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: HINTS_KEPT_MS,
    structuralSharing: false,
  })

/**
 * The values of all slots of some diffs in a sealed block; `undefined` if the chain does not tell, or if they are too
 * many.
 *
 * @param number - Without one, the newest.
 */
export async function fetchSealed(provider: BlinknetProvider, diffs: readonly StorageDiff[], number: Hex | undefined) {
  const block = number ?? (await provider.request({ method: 'eth_blockNumber' }))
  const slots = diffs.flatMap(({ address, after }) => [...after.keys()].map((slot) => ({ address, slot })))
  if (slots.length > MOST_SLOTS) return undefined
  const values = new Map(diffs.map(({ address }) => [address, new Map<Hash, Hash>()] as const))
  for (let start = 0; start < slots.length; start += SLOTS_AT_ONCE) {
    const asked: Record<Address, Hash[]> = {}
    for (const { address, slot } of slots.slice(start, start + SLOTS_AT_ONCE)) {
      asked[address] ??= []
      asked[address].push(slot)
    }
    const answer = await unlessRefused(provider.request({ method: 'eth_getStorageValues', params: [asked, block] }))
    if (!answer) return undefined
    for (const [address, keys] of Object.entries(asked) as [Address, Hash[]][]) {
      const words = storageOf(zip(keys, answer[address] ?? []))
      // One that is left out would be shown as 0.
      if (words.size !== keys.length) return undefined
      for (const [slot, word] of words) values.get(address)?.set(slot, word)
    }
  }
  return { block, values }
}

function zip(keys: readonly Hash[], values: readonly Hash[]): Record<Hash, Hash> {
  return Object.fromEntries(keys.flatMap((key, i) => (values[i] === undefined ? [] : [[key, values[i]]])))
}
