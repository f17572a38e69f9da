import { queryOptions, useQuery } from '@tanstack/react-query'
import { type BlinknetProvider, unlessRefused } from '#client/session/provider.ts'
import type { Hash, Hex } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { isPreconfirmed, keepPreconfirmed } from '#ui/feed/preconfirmed-receipts.ts'
import { keepSeen, seenTransaction } from '#ui/feed/seen-transactions.ts'
import { useFeed } from '#ui/feed/store.ts'
import { earlierReplaced } from '#ui/own/follow-replaced.ts'
import { earlierHistory, joinHistory } from '#ui/own/own-history.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'

/**
 * A transaction with its receipt; one that the node no longer has as this page last saw it waiting.
 *
 * @param version - What the feed knows about it: fetched again at every new status.
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
      if (tx?.blockHash === null && !seenTransaction(hash)?.raw) keepSeen(tx, await rawOf(provider, hash))
      return { tx: tx ?? (await earlierTransaction(hash)), receipt }
    },
    placeholderData: (previous) => (previous?.tx?.hash === hash ? previous : undefined),
  })

/** A transaction that the node no longer has, as this page last saw it, before a reload of its tab, too. */
async function earlierTransaction(hash: Hash): Promise<RpcTransaction | null> {
  const seen = seenTransaction(hash)
  if (seen) return seen.tx
  return (await earlierReplaced(hash))?.tx ?? null
}

/** Signed bytes of a transaction; `undefined` if the chain does not return them. */
async function rawOf(provider: BlinknetProvider, hash: Hash): Promise<Hex | undefined> {
  const raw = await unlessRefused(provider.request({ method: 'eth_getRawTransactionByHash', params: [hash] }))
  return raw === '0x' ? undefined : raw
}

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
      const replaced = told ? undefined : await earlierReplaced(hash)
      if (replaced) return { hash, events: replaced.events }
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
 * A key that changes whenever there may be news about a transaction: its status in the feed or, once it has left the
 * feed, the head.
 */
export function useTransactionVersion(hash: Hash): string {
  return useFeed(({ transactions, sealed }) => transactions.get(hash)?.status ?? `head-${sealed[0]?.number ?? 0}`)
}

/** @param enabled - Whether to fetch at all. */
export function useTransaction(hash: Hash, enabled = true) {
  return useQuery({ ...transactionQuery(useProvider(), hash, useTransactionVersion(hash)), enabled })
}

export function useTimeline(hash: Hash) {
  const { devnet } = useCapabilities()
  return useQuery(timelineQuery(useProvider(), hash, useTransactionVersion(hash), devnet))
}
