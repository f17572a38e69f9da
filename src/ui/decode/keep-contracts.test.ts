import { setImmediate } from 'node:timers/promises'
import { erc20Abi, keccak256 } from 'viem'
import { beforeEach, expect, test, vi } from 'vitest'
import { type ConnectionState, createObservable } from '#client/session/connection-state.ts'
import { createProvider } from '#client/session/provider.ts'
import { type Address, type Hex, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { FakeStorage } from '#testing/ui/fake-storage.ts'
import { type KeepingHost, keepContracts, useKeeping } from './keep-contracts.ts'
import {
  awaitContract,
  forgetContract,
  rememberContract,
  settleContract,
  useAwaitedContracts,
  useKnownContracts,
} from './known-contracts.ts'
import { readContracts, writeContracts } from './stored-contracts.ts'

const A: Address = `0x${'aa'.repeat(20)}`
const B: Address = `0x${'bb'.repeat(20)}`
const TOKEN = { name: 'Token', abi: erc20Abi, source: 'contract Token {}' }

/** A chain with code at some addresses. */
class FakeChain {
  genesis = toWord(1)
  /** Hash of the block of a fork without its endpoint, which does not have block 0. */
  forked: Hex | undefined
  readonly code = new Map<Address, Hex>([[A, '0x60']])
  readonly state = createObservable<ConnectionState>({ status: 'ready' })
  readonly provider = createProvider(async (body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest & { readonly params: readonly unknown[] }
    if (this.forked !== undefined && method === 'eth_getBlockByNumber') {
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'was not asked of it before' } })
    }
    const fork = this.forked === undefined ? undefined : { hash: this.forked, isOffline: true }
    const found = method === 'devnet_status' ? { fork } : { hash: this.genesis }
    const result = method === 'eth_getCode' ? (this.code.get(params[0] as Address) ?? '0x') : found
    return JSON.stringify({ jsonrpc: '2.0', id, result })
  }).provider
}

let closeTab: (() => void) | undefined

/** A single tab of a browser with the given storage. */
function open(chain: FakeChain, storage: Storage, name: string | null = 'main') {
  closeTab?.()
  let listener: ((key: string | null) => void) | undefined
  const host: KeepingHost = {
    storage: () => storage,
    onStorage(tell) {
      listener = tell
      return () => {}
    },
  }
  useKnownContracts.setState(new Map(), true)
  useAwaitedContracts.setState(new Map(), true)
  const { renew, stop } = keepContracts(
    { provider: chain.provider, state: chain.state, chain: name ?? undefined },
    host,
  )
  closeTab = stop
  return { renew, tellOfOtherTab: (key: string) => listener?.(key) }
}

const known = () => [...useKnownContracts.getState()]

beforeEach(() => {
  useKnownContracts.setState(new Map(), true)
  useKeeping.setState({ keeping: 'kept' })
})

test('remembered contracts are known at the next visit', async () => {
  const storage = new FakeStorage()
  open(new FakeChain(), storage)
  rememberContract(A, TOKEN)
  await vi.waitFor(() => expect(storage.length).toBe(1))
  open(new FakeChain(), storage)
  await vi.waitFor(() => expect(known()).toEqual([[A, TOKEN]]))
  forgetContract(A)
  await vi.waitFor(() => expect(storage.length).toBe(0))
})

test('a pending deployment is known at the next visit, until it is settled', async () => {
  const storage = new FakeStorage()
  open(new FakeChain(), storage)
  awaitContract(toWord(7), TOKEN)
  awaitContract(toWord(8), TOKEN)
  await vi.waitFor(() => expect(storage.length).toBe(1))
  open(new FakeChain(), storage)
  await vi.waitFor(() => expect([...useAwaitedContracts.getState().keys()]).toEqual([toWord(7), toWord(8)]))

  settleContract(toWord(7), A)
  settleContract(toWord(8), undefined)
  expect(known()).toEqual([[A, { ...TOKEN, deployment: toWord(7) }]])
  expect(useAwaitedContracts.getState().size).toBe(0)
  await vi.waitFor(() => expect(storage.getItem(storage.key(0) ?? '')).toContain(A))
  open(new FakeChain(), storage)
  await vi.waitFor(() => expect(known()).toEqual([[A, { ...TOKEN, deployment: toWord(7) }]]))
  expect(useAwaitedContracts.getState().size).toBe(0)
})

test('a fork that was opened without its endpoint, and never had block 0, keeps its contracts by its block', async () => {
  const storage = new FakeStorage()
  const fork = new FakeChain()
  fork.forked = toWord(7)
  open(fork, storage)
  rememberContract(A, TOKEN)
  await vi.waitFor(() => expect(storage.length).toBe(1))
  expect(useKeeping.getState()).toEqual({ keeping: 'kept' })

  open(fork, storage)
  await vi.waitFor(() => expect(known()).toEqual([[A, TOKEN]]))
  fork.forked = toWord(8)
  open(fork, storage)
  await setImmediate()
  expect(known()).toEqual([])
})

test('another chain, or a fresh one with the same genesis block, does not know them', async () => {
  const storage = new FakeStorage()
  open(new FakeChain(), storage)
  rememberContract(A, TOKEN)
  await vi.waitFor(() => expect(storage.length).toBe(1))

  const fresh = new FakeChain()
  fresh.code.set(A, '0x61')
  fresh.code.set(B, '0x60')
  open(fresh, storage)
  rememberContract(B, TOKEN)
  await vi.waitFor(() => expect(known()).toEqual([[B, TOKEN]]))
  await vi.waitFor(() => expect(storage.getItem(storage.key(0) ?? '')).toContain(B))
  expect(storage.getItem(storage.key(0) ?? '')).not.toContain(A)
})

test('a chain that replaces another brings its own contracts', async () => {
  const storage = new FakeStorage()
  const chain = new FakeChain()
  const { renew } = open(chain, storage)
  rememberContract(A, TOKEN)
  await vi.waitFor(() => expect(storage.length).toBe(1))
  chain.genesis = toWord(2)
  renew()
  expect(known()).toEqual([])
  await vi.waitFor(() => expect(storage.length).toBe(1))
  chain.genesis = toWord(1)
  renew()
  await vi.waitFor(() => expect(known()).toEqual([[A, TOKEN]]))
})

test('contracts that another tab remembers are known here', async () => {
  const storage = new FakeStorage()
  const chain = new FakeChain()
  const { tellOfOtherTab } = open(chain, storage)
  rememberContract(A, TOKEN)
  await vi.waitFor(() => expect(storage.length).toBe(1))
  const key = storage.key(0) ?? ''
  chain.code.set(B, '0x61')
  const [other] = readContracts(storage, key).contracts
  if (!other) throw new Error('nothing was stored')
  writeContracts(storage, key, { contracts: [{ ...other, address: B, codeHash: keccak256('0x61') }], awaited: [] }, 5)
  tellOfOtherTab(key)
  await vi.waitFor(() => expect(known()).toEqual([[B, TOKEN]]))
})

test('for a chain that ends with the page nothing is stored, and the page says so', () => {
  open(new FakeChain(), new FakeStorage(), null)
  expect(useKeeping.getState().keeping).toBe('chain ends')
})

test('forbidden or full storage is reported', async () => {
  open(new FakeChain(), new FakeStorage(10))
  rememberContract(A, TOKEN)
  await vi.waitFor(() => expect(useKeeping.getState().keeping).toBe('no storage'))
  expect(known()).toEqual([[A, TOKEN]])
})
