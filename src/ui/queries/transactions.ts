import { queryOptions, useQuery } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import { isPreconfirmed, keepPreconfirmed } from '#ui/feed/preconfirmed-receipts.ts'
import { useFeed } from '#ui/feed/store.ts'
import { earlierHistory, joinHistory } from '#ui/own/own-history.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'

/**
 * A transaction with its receipt and its history.
 *
 * @param version - What the feed knows about it: fetched again at every new stage.
 */
export const transactionQuery = (provider: BlinknetProvider, hash: Hash, version: string) =>
  queryOptions({
    queryKey: ['transaction', hash, version],
    queryFn: async () => {
      const [tx, receipt] = await Promise.all([
        provider.request({ method: 'eth_getTransactionByHash', params: [hash] }),
        provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
      ])
      if (receipt && isPreconfirmed(receipt)) keepPreconfirmed([receipt])
      return { tx, receipt }
    },
    placeholderData: (previous) => (previous?.tx?.hash === hash ? previous : undefined),
  })

/**
 * The timeline of a transaction, measured in the node; `null` if it is neither from since the node's start nor the
 * page's own.
 *
 * @param kept - Whether the node keeps timelines; `null` if it does not.
 */
export const timelineQuery = (provider: BlinknetProvider, hash: Hash, version: string, kept: boolean) =>
  queryOptions({
    queryKey: ['devnet_getTransactionTimeline', hash, version],
    queryFn: async () => {
      if (!kept) return null
      const told = await provider.request({ method: 'devnet_getTransactionTimeline', params: [hash] })
      if (told?.events.some(({ kind }) => kind === 'received')) return told
      const earlier = await earlierHistory(hash)
      if (!earlier || earlier.length === 0) return told
      const [tx, receipt] = await Promise.all([
        provider.request({ method: 'eth_getTransactionByHash', params: [hash] }),
        provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
      ])
      const events = joinHistory(earlier, told?.events ?? [], tx, receipt)
      return events.length > 0 ? { hash, events } : told
    },
    placeholderData: (previous) => (previous?.hash === hash ? previous : undefined),
  })

/**
 * A key that changes whenever there may be news about a transaction: its stage in the feed or, once it has left the
 * feed, the head.
 */
export function useTransactionVersion(hash: Hash): string {
  return useFeed(({ transactions, sealed }) => transactions.get(hash)?.stage ?? `head-${sealed[0]?.number ?? 0}`)
}

/** @param enabled - Whether to fetch at all. */
export function useTransaction(hash: Hash, enabled = true) {
  return useQuery({ ...transactionQuery(useProvider(), hash, useTransactionVersion(hash)), enabled })
}

export function useTimeline(hash: Hash) {
  const { devnet } = useCapabilities()
  return useQuery(timelineQuery(useProvider(), hash, useTransactionVersion(hash), devnet))
}
