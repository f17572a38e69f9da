import { queryOptions } from '@tanstack/react-query'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { type Address, type Hash, type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcStorageRange } from '#rpc-types/methods/debug.ts'
import type { RpcLog } from '#rpc-types/objects.ts'

/** Balance of an account in the pending block, in wei; `version` is that block's current hash. */
export const balanceQuery = (provider: BlinknetProvider, address: Address, version: string) =>
  queryOptions({
    queryKey: ['eth_getBalance', address, version],
    queryFn: async () => BigInt(await provider.request({ method: 'eth_getBalance', params: [address, 'pending'] })),
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })

/** An account in the newest sealed block and at the newest partial block. */
export interface Standing {
  readonly sealed: AccountState
  /** The pending state, whose nonce includes transactions in the mempool. */
  readonly pending: AccountState
}

interface AccountState {
  /** Wei. */
  readonly balance: bigint
  readonly nonce: number
}

/** @param version - Changes with every partial block and whenever the mempool may have changed. */
export const standingQuery = (provider: BlinknetProvider, address: Address, version: string) =>
  queryOptions({
    queryKey: ['standing', address, version],
    queryFn: async (): Promise<Standing> => {
      const [sealed, pending] = await Promise.all([
        fetchState(provider, address, 'latest'),
        fetchState(provider, address, 'pending'),
      ])
      return { sealed, pending }
    },
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })

async function fetchState(
  provider: BlinknetProvider,
  address: Address,
  block: 'latest' | 'pending',
): Promise<AccountState> {
  const [balance, nonce] = await Promise.all([
    provider.request({ method: 'eth_getBalance', params: [address, block] }),
    provider.request({ method: 'eth_getTransactionCount', params: [address, block] }),
  ])
  return { balance: BigInt(balance), nonce: Number(nonce) }
}

/** Code of an account at the newest partial block. */
export const codeQuery = (provider: BlinknetProvider, address: Address, version: string) =>
  queryOptions({
    queryKey: ['eth_getCode', address, version],
    queryFn: () => provider.request({ method: 'eth_getCode', params: [address, 'pending'] }),
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })

/**
 * Logs of an account, newest first, including the pending block's.
 *
 * @param from - Number of the oldest block.
 */
export const logsQuery = (provider: BlinknetProvider, address: Address, from: number, version: string) =>
  queryOptions({
    queryKey: ['eth_getLogs', address, from, version],
    queryFn: async (): Promise<readonly RpcLog[]> => {
      const query = { address, fromBlock: toQuantity(from), toBlock: 'pending' } as const
      return (await provider.request({ method: 'eth_getLogs', params: [query] })).toReversed()
    },
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })

/** The non-zero slots of an account. */
export interface Storage {
  /** In order. */
  readonly slots: readonly (readonly [slot: Hash, word: Hash])[]
  /** Whether the list is complete. */
  readonly isWhole: boolean
}

/** How many slots are fetched: as many as the node returns at once. */
const MAX_SLOTS = 10_000

/** The storage of an account after all transactions of a block. */
export async function fetchStorage(
  provider: BlinknetProvider,
  address: Address,
  block: 'latest' | 'pending',
): Promise<Storage> {
  const range = await rangeAfter(provider, address, block, 2)
  const slots = Object.values(range.storage).map(({ key, value }) => [key, value] as const)
  return { slots: slots.toSorted(([a], [b]) => (a < b ? -1 : 1)), isWhole: range.nextKey === null }
}

/**
 * @param attempts - How often to try: if a block is sealed between the two calls, the next one has fewer transactions.
 */
async function rangeAfter(
  provider: BlinknetProvider,
  address: Address,
  block: 'latest' | 'pending',
  attempts: number,
): Promise<RpcStorageRange> {
  const found = await provider.request({ method: 'eth_getBlockByNumber', params: [block, false] })
  try {
    return await provider.request({
      method: 'debug_storageRangeAt',
      params: [block, found?.transactions.length ?? 0, address, '0x', MAX_SLOTS],
    })
  } catch (error) {
    if (attempts <= 1 || !(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected) throw error
    return rangeAfter(provider, address, block, attempts - 1)
  }
}

/** A slot of an account at the newest partial block. */
export async function fetchSlot(provider: BlinknetProvider, address: Address, slot: bigint): Promise<Hex> {
  return provider.request({ method: 'eth_getStorageAt', params: [address, toWord(slot), 'pending'] })
}
