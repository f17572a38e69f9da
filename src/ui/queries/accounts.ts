import { queryOptions } from '@tanstack/react-query'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { type Address, type Hash, type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcStorageRange } from '#rpc-types/methods/debug.ts'
import type { RpcLog } from '#rpc-types/objects.ts'

/** Wei of an account in the pending block; `version` is that block's present hash. */
export const balanceQuery = (provider: BlinknetProvider, address: Address, version: string) =>
  queryOptions({
    queryKey: ['eth_getBalance', address, version],
    queryFn: async () => BigInt(await provider.request({ method: 'eth_getBalance', params: [address, 'pending'] })),
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })

/** An account as it is sealed, and as it is at the newest partial block. */
export interface Standing {
  readonly sealed: AccountState
  /** The nonce counts what waits in the mempool, too. */
  readonly pending: AccountState
}

interface AccountState {
  /** Wei. */
  readonly balance: bigint
  readonly nonce: number
}

/** @param version - What changes with every partial block and whenever the mempool may have changed. */
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

/** Logs that an account wrote, newest first, those of the pending block included. @param from - Number of the oldest block. */
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

/** The slots of an account that are not 0. */
export interface Storage {
  /** In their order. */
  readonly slots: readonly (readonly [slot: Hash, word: Hash])[]
  /** Whether these are all of them. */
  readonly isWhole: boolean
}

/** Slots that are asked for: as many as the node gives at once. */
const MAX_SLOTS = 10_000

/** The storage of an account at the newest partial block. */
export async function fetchStorage(provider: BlinknetProvider, address: Address): Promise<Storage> {
  const range = await rangeAtPending(provider, address, 2)
  const slots = Object.values(range.storage).map(({ key, value }) => [key, value] as const)
  return { slots: slots.toSorted(([a], [b]) => (a < b ? -1 : 1)), isWhole: range.nextKey === null }
}

/** @param attempts - A block that is sealed between the two questions leaves one with fewer transactions. */
async function rangeAtPending(
  provider: BlinknetProvider,
  address: Address,
  attempts: number,
): Promise<RpcStorageRange> {
  const pending = await provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] })
  try {
    return await provider.request({
      method: 'debug_storageRangeAt',
      params: ['pending', pending?.transactions.length ?? 0, address, '0x', MAX_SLOTS],
    })
  } catch (error) {
    if (attempts <= 1 || !(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected) throw error
    return rangeAtPending(provider, address, attempts - 1)
  }
}

/** A slot of an account at the newest partial block. */
export async function fetchSlot(provider: BlinknetProvider, address: Address, slot: bigint): Promise<Hex> {
  return provider.request({ method: 'eth_getStorageAt', params: [address, toWord(slot), 'pending'] })
}
