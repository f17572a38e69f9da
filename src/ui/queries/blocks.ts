import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { fetchPartialCounts } from '#ui/feed/fetch-contents.ts'

export type FullBlock = RpcBlock<RpcTransaction>

/** The previously shown block if it is the same one, so that it stays visible while it is sealed. */
function sameBlock(id: number | Hash, previous: FullBlock | null | undefined): FullBlock | undefined {
  return previous && (previous.hash === id || Number(previous.number) === id) ? previous : undefined
}

/**
 * A block with its transactions; `null` if there is none.
 *
 * @param version - For the pending block: changes with every partial block, so that each is a new query. Left out for a
 * sealed block, which is fetched once.
 * @param reorgs - How often sealed blocks were reverted; after a reorg the block is fetched again, as it may be another
 * one or gone.
 */
export const blockQuery = (
  provider: BlinknetProvider,
  id: number | Hash,
  version: string | undefined,
  reorgs: number,
) =>
  queryOptions({
    queryKey: ['block', id, version ?? 'sealed', reorgs],
    queryFn: async () => {
      if (version !== undefined) {
        const pending = await provider.request({ method: 'eth_getBlockByNumber', params: ['pending', true] })
        // A block with another number means that this one was sealed during the call.
        if (Number(pending?.number) === id) return pending as FullBlock
      }
      const block =
        typeof id === 'number'
          ? await provider.request({ method: 'eth_getBlockByNumber', params: [toQuantity(id), true] })
          : await provider.request({ method: 'eth_getBlockByHash', params: [id, true] })
      return block as FullBlock | null
    },
    staleTime: (query) => (query.state.data ? Number.POSITIVE_INFINITY : 0),
    placeholderData: (previous) => sameBlock(id, previous),
    gcTime: version === undefined ? 300_000 : 5_000,
  })

/** Outcomes of a block's transactions; `version` is its current hash. */
export const blockReceiptsQuery = (provider: BlinknetProvider, block: Hash | 'pending', version: string) =>
  queryOptions({
    queryKey: ['eth_getBlockReceipts', block, version],
    queryFn: (): Promise<readonly RpcReceipt[] | null> =>
      provider.request({
        method: 'eth_getBlockReceipts',
        params: [block === 'pending' ? 'pending' : { blockHash: block }],
      }),
    placeholderData: (previous) => previous,
    gcTime: 30_000,
  })

/** Number of transactions that each partial block of a sealed block added; `null` if the node does not say. */
export const partialCountsQuery = (provider: BlinknetProvider, hash: Hash) =>
  queryOptions({
    queryKey: ['devnet_getPartialBlocks', hash],
    queryFn: async () => (await fetchPartialCounts(provider, hash)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
