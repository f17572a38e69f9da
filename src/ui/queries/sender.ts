import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Address, type Hex, toQuantity } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { answerOf, type TraceAnswer } from '#ui/execution/refused-call.ts'
import { type FeeFacts, fetchFeeFacts } from '#ui/own/fee-facts.ts'
import type { FeeOffer } from '#ui/own/replacement-offer.ts'

/** A sender's nonce and balance, current fees, and its waiting transactions. */
export interface SenderFacts extends FeeFacts {
  /** The sender's transactions in the mempool by nonce; empty if the chain does not list them. */
  readonly waiting: ReadonlyMap<number, FeeOffer>
}

/**
 * Fetches the facts about an account that is about to send.
 *
 * @param version - Changes whenever to fetch again.
 * @param devnet - Whether the chain lists an account's transactions in the mempool.
 */
export const senderQuery = (provider: BlinknetProvider, address: Address, version: string, devnet: boolean) =>
  queryOptions({
    queryKey: ['sender', address, version],
    queryFn: async (): Promise<SenderFacts> => {
      const [facts, pool] = await Promise.all([
        fetchFeeFacts(provider, address),
        devnet ? provider.request({ method: 'txpool_contentFrom', params: [address] }) : undefined,
      ])
      const waiting = Object.values({ ...pool?.pending, ...pool?.queued })
      return { ...facts, waiting: new Map(waiting.map((tx) => [Number(tx.nonce), offerOf(tx)])) }
    },
    placeholderData: (previous, query) => (query?.queryKey[1] === address ? previous : undefined),
    gcTime: 5_000,
  })

/** The fees that a transaction offers, whatever its type. */
export function offerOf(tx: RpcTransaction): FeeOffer {
  const { feeCap, tip } =
    'maxFeePerGas' in tx
      ? { feeCap: tx.maxFeePerGas, tip: tx.maxPriorityFeePerGas }
      : { feeCap: tx.gasPrice, tip: tx.gasPrice }
  return { feeCap: BigInt(feeCap), tip: BigInt(tip) }
}

/** The fields that determine a transaction's gas. */
export interface GasQuestion {
  readonly from: Address
  readonly to: Address | null
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
}

/** Gas estimate for a transaction at the newest partial block; a refusal is shown until the next answer, too. */
export const gasQuery = (provider: BlinknetProvider, question: GasQuestion, blockNumber: number) =>
  queryOptions({
    queryKey: ['eth_estimateGas', question.from, question.to, String(question.value), question.data, blockNumber],
    queryFn: (): Promise<TraceAnswer<bigint>> => {
      const { from, to, value, data } = question
      const call = { from, value: toQuantity(value), input: data, ...(to && { to }) }
      return answerOf({ call, block: 'pending' }, async () =>
        BigInt(await provider.request({ method: 'eth_estimateGas', params: [call, 'pending'] })),
      )
    },
    placeholderData: (previous, query) => {
      const same =
        query?.queryKey.slice(1, 5).join() === [question.from, question.to, question.value, question.data].join()
      return same ? previous : undefined
    },
    gcTime: 5_000,
  })
