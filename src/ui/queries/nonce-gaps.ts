import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'
import { pooledTransactions } from '#ui/feed/selectors.ts'
import { liveFeed } from '#ui/feed/store.ts'
import { fetchNonceGap, type NonceGap } from '#ui/own/nonce-gap.ts'

/** Cache key of all gaps: they are fetched again after one is filled. */
export const NONCE_GAPS = ['nonce-gap'] as const

/**
 * The nonce gap that an account's transactions wait for; `null` if there is none.
 *
 * @param below - As in `fetchNonceGap`.
 * @param version - Changes whenever the mempool or the account may have changed.
 */
export const nonceGapQuery = (
  provider: BlinknetProvider,
  address: Address,
  below: number | undefined,
  version: string,
) =>
  queryOptions({
    queryKey: [...NONCE_GAPS, address, below, version],
    queryFn: async () => (await fetchNonceGap(provider, address, below)) ?? null,
    placeholderData: (previous, query) =>
      query?.queryKey[1] === address && query.queryKey[2] === below ? previous : undefined,
    gcTime: 5_000,
  })

/** The nonce gaps in the mempool. */
export interface PoolGaps {
  /** Number of transactions behind any gap. */
  readonly waiting: number
  /** The gaps of the first few accounts known to this page. */
  readonly gaps: readonly NonceGap[]
}

/** How many accounts are checked. */
const MAX_ASKED = 20
/** How many accounts' gaps are shown. */
const MAX_TOLD = 3
/** Often enough for a person, as the mempool changes with every transaction. */
const REFRESH_MS = 1_000

/** The transactions in the mempool behind nonce gaps. */
export const poolGapsQuery = (provider: BlinknetProvider) =>
  queryOptions({
    queryKey: [...NONCE_GAPS, 'pool'],
    queryFn: () => fetchPoolGaps(provider),
    refetchInterval: REFRESH_MS,
  })

async function fetchPoolGaps(provider: BlinknetProvider): Promise<PoolGaps> {
  const waiting = Number((await provider.request({ method: 'txpool_status' })).queued)
  if (waiting === 0) return { waiting, gaps: [] }
  const highest = new Map<Address, number>()
  for (const { from, nonce } of pooledTransactions(liveFeed.getState().transactions)) {
    highest.set(from, Math.max(highest.get(from) ?? 0, nonce))
  }
  const asked = [...highest].slice(0, MAX_ASKED)
  const counts = await Promise.all(
    asked.map(([from]) => provider.request({ method: 'eth_getTransactionCount', params: [from, 'pending'] })),
  )
  const behind = asked.filter(([, nonce], i) => nonce > Number(counts[i]))
  const gaps = await Promise.all(behind.slice(0, MAX_TOLD).map(([from]) => fetchNonceGap(provider, from)))
  return { waiting, gaps: gaps.filter((gap) => gap !== undefined) }
}
