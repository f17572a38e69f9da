import { queryOptions, useQuery } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { useFeed } from '#ui/feed/store.ts'
import type { OwnTransaction } from '#ui/own/own-transactions.ts'
import { knownProgress, type Progress, progressOfAll, stepTimes } from '#ui/own/progress.ts'
import { useProvider } from '#ui/page/session.ts'
import { useTimeline, useTransaction } from '#ui/queries/transactions.ts'
import { chainTimeBetween } from './chain-time.ts'
import { useTour } from './tour-store.ts'

/** The node's answers about a transaction at one moment. */
export interface Answers {
  readonly receipt: RpcReceipt | null
  /** Number of the newest sealed block. */
  readonly latest: number
  /** The recipient's balances at the two tags, in wei; `undefined` for a contract creation. */
  readonly balances: { readonly latest: bigint; readonly pending: bigint } | undefined
}

/** Progress of the followed transaction. */
export interface Followed {
  readonly progress: Progress
  /**
   * Milliseconds of chain time from the node's receipt of the transaction to its pre-confirmation; `undefined` on a
   * manual clock, where it is the person who waits.
   */
  readonly preconfirmedChainMs: number | undefined
  /** Whether a block with it was reverted. */
  readonly withdrawn: boolean
  /** The answers while it was pre-confirmed, if fetched in time. */
  readonly early: Answers | undefined
  /** The answers since the seal. */
  readonly late: Answers | undefined
  /** The error of a failed call. */
  readonly error: Error | null
}

/** Follows a transaction of this page. */
export function useFollowed(own: OwnTransaction): Followed {
  const { hash } = own
  const provider = useProvider()
  const timeline = useTimeline(hash)
  const transaction = useTransaction(hash)
  const seen = useFeed((feed) => feed.transactions.get(hash))
  const events = timeline.data?.events ?? []
  const { tx = null, receipt = null } = transaction.data ?? {}
  const progress = knownProgress(seen, progressOfAll(events, tx, receipt))
  const withdrawn = events.some((event) => event.kind === 'withdrawn')
  const early = useQuery({
    ...answersQuery(provider, own, 'preconfirmed'),
    enabled: progress.status === 'preconfirmed' && !withdrawn,
  })
  const late = useQuery({
    ...answersQuery(provider, own, 'sealed'),
    enabled: progress.status === 'sealed' && !withdrawn,
  })
  const { clock, paces } = useTour()
  const { receivedAtMs, preconfirmedMs } = stepTimes(events)
  const isTimed = clock !== undefined && receivedAtMs !== undefined && preconfirmedMs !== undefined
  // The seal may happen between the calls.
  const isEarly = early.data?.receipt ? BigInt(early.data.receipt.blockHash) === 0n : false
  return {
    progress,
    preconfirmedChainMs: isTimed ? chainTimeBetween(receivedAtMs, receivedAtMs + preconfirmedMs, paces) : undefined,
    withdrawn,
    early: isEarly ? early.data : undefined,
    late: late.data,
    error: timeline.error ?? transaction.error ?? early.error ?? late.error,
  }
}

/** Fetched once in each of the two states, so that the answers can be compared. */
const answersQuery = (
  provider: BlinknetProvider,
  { hash, to: recipient }: OwnTransaction,
  status: 'preconfirmed' | 'sealed',
) =>
  queryOptions({
    queryKey: ['tour', hash, status],
    queryFn: async (): Promise<Answers> => {
      const [receipt, latest, ...balances] = await Promise.all([
        provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
        provider.request({ method: 'eth_blockNumber' }),
        ...(recipient
          ? (['latest', 'pending'] as const).map((tag) =>
              provider.request({ method: 'eth_getBalance', params: [recipient, tag] }),
            )
          : []),
      ])
      const [atLatest, atPending] = balances
      return {
        receipt,
        latest: Number(latest),
        balances:
          atLatest === undefined || atPending === undefined
            ? undefined
            : { latest: BigInt(atLatest), pending: BigInt(atPending) },
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
