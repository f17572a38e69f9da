import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Address, type Hex, toQuantity } from '#primitives/hex.ts'
import { answerOf } from '#ui/execution/refused-call.ts'

/** The code at an address in the pending block; `version` is that block's number. */
export const codeQuery = (provider: BlinknetProvider, address: Address, version: number) =>
  queryOptions({
    queryKey: ['eth_getCode', address, version],
    queryFn: () => provider.request({ method: 'eth_getCode', params: [address, 'pending'] }),
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })

export interface ReadCall {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
}

/**
 * The result of a read call in the pending block; a refusal is shown until the next answer, too.
 *
 * @param version - Changes whenever the call is to be repeated.
 */
export const readQuery = (provider: BlinknetProvider, { from, to, data }: ReadCall, version: string) =>
  queryOptions({
    queryKey: ['contract read', from, to, data, version],
    queryFn: () => {
      const call = { from, to, input: data }
      return answerOf({ call, block: 'pending' }, () =>
        provider.request({ method: 'eth_call', params: [call, 'pending'] }),
      )
    },
    placeholderData: (previous, query) =>
      query?.queryKey.slice(1, 4).join() === [from, to, data].join() ? previous : undefined,
    gcTime: 5_000,
  })

/** How many of the newest blocks are searched for logs; public endpoints refuse longer ranges. */
const LOG_BLOCKS = 5_000

/**
 * The newest logs of a contract, up to the pending block.
 *
 * @param version - Changes whenever to fetch again.
 */
export const logsQuery = (provider: BlinknetProvider, address: Address, version: string | undefined) =>
  queryOptions({
    queryKey: ['eth_getLogs', address, version],
    queryFn: async () => {
      const head = Number(await provider.request({ method: 'eth_blockNumber' }))
      const fromBlock = toQuantity(Math.max(0, head - LOG_BLOCKS))
      return provider.request({ method: 'eth_getLogs', params: [{ address, fromBlock, toBlock: 'pending' }] })
    },
    gcTime: 5_000,
  })

/** The transaction that created a contract; `null` for those of the genesis block. Only Blinknet's own chains are asked. */
export const creatorQuery = (provider: BlinknetProvider, address: Address) =>
  queryOptions({
    queryKey: ['ots_getContractCreator', address],
    queryFn: () => provider.request({ method: 'ots_getContractCreator', params: [address] }),
    gcTime: 5_000,
  })
