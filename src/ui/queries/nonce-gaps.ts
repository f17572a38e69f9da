import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'
import { pooledTransactions } from '#ui/feed/selectors.ts'
import { liveFeed } from '#ui/feed/store.ts'
import { fetchNonceGap, type NonceGap } from '#ui/own/nonce-gap.ts'

/** The key under which all gaps are cached: what fills one has them asked for again. */
export const NONCE_GAPS = ['nonce-gap'] as const

/**
 * What an account's transactions in the mempool wait for; `null` if none waits behind a nonce gap.
 *
 * @param below - As of `fetchNonceGap`.
 * @param version - What changes whenever the mempool or the account may have changed.
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

/** The mempool's transactions that wait for missing nonces. */
export interface PoolGaps {
  /** Transactions behind any gap. */
  readonly waiting: number
  /** Of the first few accounts that this page has heard of. */
  readonly gaps: readonly NonceGap[]
}

/** Accounts that are asked about. */
const MAX_ASKED = 20
/** Accounts whose gaps are told. */
const MAX_TOLD = 3
/** Often enough for a person; the mempool changes with every transaction. */
const REFRESH_MS = 1_000

/** What waits in the mempool behind nonce gaps. */
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
    highest.set(from, Math.max(highest.get(from) ?? 0, Number(nonce)))
  }
  const asked = [...highest].slice(0, MAX_ASKED)
  const counts = await Promise.all(
    asked.map(([from]) => provider.request({ method: 'eth_getTransactionCount', params: [from, 'pending'] })),
  )
  const behind = asked.filter(([, nonce], i) => nonce > Number(counts[i]))
  const gaps = await Promise.all(behind.slice(0, MAX_TOLD).map(([from]) => fetchNonceGap(provider, from)))
  return { waiting, gaps: gaps.filter((gap) => gap !== undefined) }
}
