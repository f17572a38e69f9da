import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Address, toQuantity } from '#primitives/hex.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import { indexesOf } from '#ui/feed/apply-contents.ts'
import { fetchPartialCounts } from '#ui/feed/fetch-contents.ts'

/** How many blocks are read per press of the button. */
const STEP = 100
/** How many blocks are fetched in parallel. */
const AT_ONCE = 10

/** An account's transactions in a range of sealed blocks, newest first. */
export interface Stretch {
  /** Number of the oldest block read. */
  readonly from: number
  readonly transactions: readonly FoundTransaction[]
}

/** A transaction with its partial block, if the node knows it. */
export type FoundTransaction = RpcTransaction & { readonly partialIndex?: number | undefined }

/**
 * Transactions from or to an account in sealed blocks, read backwards from `head` in stretches. A chain keeps no such
 * list, so every block is searched.
 *
 * @param reorgs - How often sealed blocks were reverted.
 * @param onBlock - Called for each block read.
 */
export const accountTransactionsQuery = (
  provider: BlinknetProvider,
  address: Address,
  head: number,
  reorgs: number,
  onBlock: (number: number) => void,
) =>
  infiniteQueryOptions({
    queryKey: ['account transactions', address, head, reorgs],
    initialPageParam: head,
    queryFn: ({ pageParam, signal }) => readStretch(provider, address, pageParam, signal, onBlock),
    getNextPageParam: ({ from }) => (from === 0 ? null : from - 1),
    staleTime: Number.POSITIVE_INFINITY,
  })

async function readStretch(
  provider: BlinknetProvider,
  address: Address,
  newest: number,
  signal: AbortSignal,
  onBlock: (number: number) => void,
): Promise<Stretch> {
  const from = Math.max(0, newest - STEP + 1)
  const transactions: FoundTransaction[] = []
  for (let end = newest; end >= from; end -= AT_ONCE) {
    signal.throwIfAborted()
    const numbers = Array.from({ length: Math.min(AT_ONCE, end - from + 1) }, (_, i) => end - i)
    const blocks = await Promise.all(
      numbers.map((number) => provider.request({ method: 'eth_getBlockByNumber', params: [toQuantity(number), true] })),
    )
    const found = await Promise.all(
      blocks
        .filter((block) => block !== null)
        .map((block) => withPartials(provider, block as RpcBlock<RpcTransaction>, address)),
    )
    transactions.push(...found.flat())
    onBlock(numbers.at(-1) ?? from)
  }
  return { from, transactions }
}

async function withPartials(
  provider: BlinknetProvider,
  block: RpcBlock<RpcTransaction>,
  address: Address,
): Promise<readonly FoundTransaction[]> {
  const own = transactionsOf(block, address)
  if (own.length === 0) return own
  const indexes = indexesOf(await fetchPartialCounts(provider, block.hash))
  return own.map((tx) => ({ ...tx, partialIndex: indexes[Number(tx.transactionIndex)] }))
}

/** Newest first. */
export function transactionsOf(block: RpcBlock<RpcTransaction>, address: Address): readonly RpcTransaction[] {
  return block.transactions.filter(({ from, to }) => from === address || to === address).toReversed()
}
