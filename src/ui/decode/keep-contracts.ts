import { create } from 'zustand'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { NodeSession } from '#client/session/session.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type KnownContract, useAwaitedContracts, useKnownContracts } from './known-contracts.ts'
import {
  type KeptContracts,
  readContracts,
  type StoredContract,
  storageKey,
  writeContracts,
} from './stored-contracts.ts'

/** Whether what is known of contracts outlives the page. */
export type Keeping =
  | 'kept'
  /** The chain itself does not. */
  | 'chain ends'
  /** The browser forbids it, or has no room. */
  | 'no storage'
  /** The endpoint does not say which chain it has, or which code. */
  | 'unknown chain'

export const useKeeping = create<{ readonly keeping: Keeping }>()(() => ({ keeping: 'kept' }))

/** The part of a session that is used here. */
export type KeptSession = Pick<NodeSession, 'provider' | 'state' | 'chain'> & {
  readonly remote?: { readonly endpoint: { readonly url: string } }
}

/** The browser, as far as it is used here. */
export interface KeepingHost {
  /** @throws {DOMException} Where it is forbidden. */
  readonly storage: () => Storage
  /** Calls `listener` with the key that another tab wrote, until the returned function is called. */
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
  /** Another chain may have taken the place of this one: what was known of it is void. */
  readonly renew: () => void
  readonly stop: () => void
}

/** Has what is known of contracts outlive the page, for each chain by itself. */
export function keepContracts(session: KeptSession, host: KeepingHost = BROWSER): ContractKeeper {
  const { provider } = session
  const name = session.chain ?? session.remote?.endpoint.url
  if (name === undefined) useKeeping.setState({ keeping: 'chain ends' })
  const codeHashes = new Map<Address, Hash>()
  /** Of the chain that runs, once it is known; another number stands for another chain. */
  let key: string | undefined
  let chain = 0
  let applying = false

  async function load(): Promise<void> {
    if (name === undefined || session.state.get().status !== 'ready') return
    const mine = chain
    const genesis = await provider.request({ method: 'eth_getBlockByNumber', params: ['0x0', false] })
    if (!genesis) return useKeeping.setState({ keeping: 'unknown chain' })
    const found = storageKey(name, genesis.hash)
    const kept = tryStorage(() => readContracts(host.storage(), found)) ?? NOTHING
    const stored = await stillThere(provider, kept.contracts)
    if (mine !== chain) return undefined
    // What became known meanwhile was not written yet.
    const isFirst = key === undefined
    const unsaved = isFirst ? useKnownContracts.getState() : new Map<Address, KnownContract>()
    const unsavedAwaited = isFirst ? useAwaitedContracts.getState() : new Map<Hash, KnownContract>()
    key = found
    for (const { address, codeHash } of stored) codeHashes.set(address, codeHash)
    const contracts = stored.map(
      ({ address, name: title, abi, source, deployment }) =>
        [address, { name: title, abi, source, deployment }] as const,
    )
    const awaited = kept.awaited.map(({ hash, ...contract }) => [hash, contract] as const)
    apply(new Map([...contracts, ...unsaved]), new Map([...awaited, ...unsavedAwaited]))
    return unsaved.size + unsavedAwaited.size > 0 ? save() : undefined
  }

  function apply(contracts: ReadonlyMap<Address, KnownContract>, awaited: ReadonlyMap<Hash, KnownContract>): void {
    applying = true
    useKnownContracts.setState(contracts, true)
    useAwaitedContracts.setState(awaited, true)
    applying = false
  }

  async function save(): Promise<void> {
    const target = key
    if (target === undefined) return
    const unhashed = [...useKnownContracts.getState().keys()].filter((address) => !codeHashes.has(address))
    const hashes = await Promise.all(unhashed.map((address) => codeHashOf(provider, address)))
    if (target !== key) return
    for (const [i, address] of unhashed.entries()) {
      const hash = hashes[i]
      if (hash) codeHashes.set(address, hash)
    }
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
      // What is remembered anew may be other code.
      for (const [address, contract] of after) if (before.get(address) !== contract) codeHashes.delete(address)
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
      apply(new Map(), new Map())
      load().catch(report)
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** Those whose code is what it was: the chain may have been started fresh. */
async function stillThere(
  provider: BlinknetProvider,
  contracts: readonly StoredContract[],
): Promise<readonly StoredContract[]> {
  const hashes = await Promise.all(contracts.map(({ address }) => codeHashOf(provider, address)))
  return contracts.filter(({ codeHash }, i) => codeHash === hashes[i])
}

/** `undefined` where there is no code. */
async function codeHashOf(provider: BlinknetProvider, address: Address): Promise<Hash | undefined> {
  const code = await provider.request({ method: 'eth_getCode', params: [address, 'pending'] })
  if (code === '0x') return undefined
  const { keccak256 } = await import('viem')
  return keccak256(code)
}

/** Storage may be forbidden or full, which the screen of contracts says. */
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

/** The connection state shows a node that is gone; it is asked again when it is back. */
function report(error: unknown): void {
  if (!(error instanceof ProviderRpcError)) throw error
  if (error.code !== ERROR_CODES.disconnected) useKeeping.setState({ keeping: 'unknown chain' })
}
