import { create } from 'zustand'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { NodeSession } from '#client/session/session.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { isMissingScript } from '#ui/format/missing-script.ts'
import { type KnownContract, useAwaitedContracts, useKnownCodes, useKnownContracts } from './known-contracts.ts'
import {
  type KeptContracts,
  readContracts,
  type StoredContract,
  storageKey,
  writeContracts,
} from './stored-contracts.ts'

/** Whether known contracts survive the page, and why not. */
export type Keeping =
  | 'kept'
  /** The chain itself ends with the page. */
  | 'chain ends'
  /** The browser forbids storage, or has no room. */
  | 'no storage'
  /** The endpoint does not identify its chain, or does not return code. */
  | 'unknown chain'
  /** The script that hashes code did not come. */
  | 'no script'

export const useKeeping = create<{ readonly keeping: Keeping }>()(() => ({ keeping: 'kept' }))

/** The part of a session used here. */
export type KeptSession = Pick<NodeSession, 'provider' | 'state' | 'chain'> & {
  readonly remote?: { readonly endpoint: { readonly url: string } }
}

/** The parts of the browser used here. */
export interface KeepingHost {
  /** @throws {DOMException} If storage is forbidden. */
  readonly storage: () => Storage
  /** Calls `listener` with each key that another tab writes, until the returned function is called. */
  readonly onStorage: (listener: (key: string | null) => void) => () => void
}

const BROWSER: KeepingHost = {
  storage: () => localStorage,
  onStorage(listener) {
    const onEvent = ({ key }: StorageEvent) => listener(key)
    addEventListener('storage', onEvent)
    return () => removeEventListener('storage', onEvent)
  },
}

const NOTHING: KeptContracts = { contracts: [], awaited: [] }

export interface ContractKeeper {
  /** Call this when another chain may have replaced this one: drops what was known. */
  readonly renew: () => void
  readonly stop: () => void
}

/** Stores known contracts across visits, separately for each chain. */
export function keepContracts(session: KeptSession, host: KeepingHost = BROWSER): ContractKeeper {
  const { provider } = session
  const name = session.chain ?? session.remote?.endpoint.url
  if (name === undefined) useKeeping.setState({ keeping: 'chain ends' })
  const codeHashes = new Map<Address, Hash>()
  /** Storage key of the current chain, once known; another key means another chain. */
  let key: string | undefined
  let chain = 0
  let applying = false

  async function load(): Promise<void> {
    if (name === undefined || session.state.get().status !== 'ready') return
    const mine = chain
    const first = await firstHash(provider)
    if (!first) return useKeeping.setState({ keeping: 'unknown chain' })
    const found = storageKey(name, first)
    const kept = tryStorage(() => readContracts(host.storage(), found)) ?? NOTHING
    const stored = await stillThere(provider, kept.contracts)
    if (mine !== chain) return undefined
    // Contracts that became known meanwhile are not stored yet.
    const isFirst = key === undefined
    const unsaved = isFirst ? useKnownContracts.getState() : new Map<Address, KnownContract>()
    const unsavedAwaited = isFirst ? useAwaitedContracts.getState() : new Map<Hash, KnownContract>()
    key = found
    for (const { address, codeHash } of stored) codeHashes.set(address, codeHash)
    publish()
    const contracts = stored.map(
      ({ address, name: title, abi, source, deployment }) =>
        [address, { name: title, abi, source, deployment }] as const,
    )
    const awaited = kept.awaited.map(({ hash, ...contract }) => [hash, contract] as const)
    apply(new Map<Address, KnownContract>([...contracts, ...unsaved]), new Map([...awaited, ...unsavedAwaited]))
    return unsaved.size + unsavedAwaited.size > 0 ? save() : undefined
  }

  function apply(contracts: ReadonlyMap<Address, KnownContract>, awaited: ReadonlyMap<Hash, KnownContract>): void {
    applying = true
    useKnownContracts.setState(contracts, true)
    useAwaitedContracts.setState(awaited, true)
    applying = false
  }

  /** Tells the page which code each contract had. */
  function publish(): void {
    useKnownCodes.setState(new Map(codeHashes), true)
  }

  async function save(): Promise<void> {
    const target = key
    const unhashed = [...useKnownContracts.getState().keys()].filter((address) => !codeHashes.has(address))
    const hashes = await Promise.all(unhashed.map((address) => codeHashOf(provider, address)))
    if (target !== key) return
    for (const [i, address] of unhashed.entries()) {
      const hash = hashes[i]
      if (hash) codeHashes.set(address, hash)
    }
    publish()
    if (target === undefined) return
    const contracts = [...useKnownContracts.getState()].flatMap(([address, contract]): StoredContract[] => {
      const codeHash = codeHashes.get(address)
      return codeHash ? [{ address, codeHash, ...contract }] : []
    })
    const awaited = [...useAwaitedContracts.getState()].map(([hash, contract]) => ({ hash, ...contract }))
    tryStorage(() => writeContracts(host.storage(), target, { contracts, awaited }, Date.now()))
  }

  const stops = [
    session.state.subscribe(() => {
      if (key === undefined) load().catch(report)
    }),
    host.onStorage((changed) => {
      if (key !== undefined && changed === key) load().catch(report)
    }),
    useKnownContracts.subscribe((after, before) => {
      if (applying) return
      // A contract that was remembered again may have other code.
      for (const [address, contract] of after) if (before.get(address) !== contract) codeHashes.delete(address)
      publish()
      save().catch(report)
    }),
    useAwaitedContracts.subscribe(() => {
      if (!applying) save().catch(report)
    }),
  ]
  load().catch(report)
  return {
    renew() {
      chain++
      key = undefined
      codeHashes.clear()
      publish()
      apply(new Map(), new Map())
      load().catch(report)
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** Hash of block 0; of a fork that was opened without its endpoint and never had that one, of the fork's block. */
async function firstHash(provider: BlinknetProvider): Promise<Hash | undefined> {
  try {
    return (await provider.request({ method: 'eth_getBlockByNumber', params: ['0x0', false] }))?.hash
  } catch (error) {
    const { fork } = await provider.request({ method: 'devnet_status' })
    if (!fork?.isOffline) throw error
    return fork.hash
  }
}

/** The contracts with unchanged code, since the chain may have been started fresh. */
async function stillThere(
  provider: BlinknetProvider,
  contracts: readonly StoredContract[],
): Promise<readonly StoredContract[]> {
  const hashes = await Promise.all(contracts.map(({ address }) => codeHashOf(provider, address)))
  return contracts.filter(({ codeHash }, i) => codeHash === hashes[i])
}

/** `undefined` if there is no code. */
async function codeHashOf(provider: BlinknetProvider, address: Address): Promise<Hash | undefined> {
  const code = await provider.request({ method: 'eth_getCode', params: [address, 'pending'] })
  if (code === '0x') return undefined
  const { keccak256 } = await import('viem')
  return keccak256(code)
}

/** Storage may be forbidden or full; the contracts screen says so. */
function tryStorage<Result>(run: () => Result): Result | undefined {
  try {
    const result = run()
    useKeeping.setState({ keeping: 'kept' })
    return result
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    useKeeping.setState({ keeping: 'no storage' })
    return undefined
  }
}

/** The connection state shows when the node is gone; the query runs again once it is back. */
function report(error: unknown): void {
  // Nothing was read or written; the next change tries again.
  if (isMissingScript(error)) return useKeeping.setState({ keeping: 'no script' })
  if (!(error instanceof ProviderRpcError)) throw error
  if (error.code !== ERROR_CODES.disconnected) useKeeping.setState({ keeping: 'unknown chain' })
}
