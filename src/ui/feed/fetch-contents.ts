import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import type { BlockContents } from './apply-contents.ts'
import type { FeedEvent } from './reducer.ts'

/** Number of transactions after which no older block is fetched. */
const ENOUGH = 100
/**
 * The largest block that is fetched, in transactions. Of a larger one only the number is shown: its contents would be
 * megabytes for a list of twenty.
 */
const MAX_IN_BLOCK = 2_000
/** The most waiting transactions that are fetched; of more the list would be incomplete anyway. */
const MAX_WAITING = 500

/**
 * Fetches the contents of the newest of some sealed blocks: transactions with their outcomes.
 *
 * @param blocks - Newest first.
 */
export async function fetchContents(
  provider: BlinknetProvider,
  blocks: readonly RpcBlock<Hash>[],
): Promise<readonly FeedEvent[]> {
  const contents = await Promise.all(newestWithin(blocks).map(({ hash }) => fetchBlock(provider, hash)))
  const found = contents.filter((one) => one !== undefined)
  return found.length === 0 ? [] : [{ kind: 'contents', contents: found }]
}

/** Fetches the pool's transactions, if there are not too many to show. Guests of a room may not ask for them. */
export async function fetchWaiting(provider: BlinknetProvider): Promise<readonly FeedEvent[]> {
  const status = await provider.request({ method: 'txpool_status' })
  const count = Number(status.pending) + Number(status.queued)
  if (count === 0 || count > MAX_WAITING) return []
  const content = await ifKnown(provider.request({ method: 'txpool_content' }))
  if (!content) return []
  return [content.pending, content.queued].flatMap((senders) =>
    Object.values(senders).flatMap((byNonce) =>
      Object.values(byNonce).map((tx): FeedEvent => ({ kind: 'pooled', tx })),
    ),
  )
}

function newestWithin(blocks: readonly RpcBlock<Hash>[]): readonly RpcBlock<Hash>[] {
  let count = 0
  return blocks.filter(({ transactions }) => {
    if (transactions.length === 0 || transactions.length > MAX_IN_BLOCK || count >= ENOUGH) return false
    count += transactions.length
    return true
  })
}

/** `undefined` if the block was reverted meanwhile. */
export async function fetchBlock(provider: BlinknetProvider, hash: Hash): Promise<BlockContents | undefined> {
  const [block, receipts, counts] = await Promise.all([
    provider.request({ method: 'eth_getBlockByHash', params: [hash, true] }),
    provider.request({ method: 'eth_getBlockReceipts', params: [{ blockHash: hash }] }),
    fetchPartialCounts(provider, hash),
  ])
  if (!block) return undefined
  return { block: block as RpcBlock<RpcTransaction>, receipts: receipts ?? [], counts }
}

/** Number of transactions that each partial block of a block added; `undefined` if the node does not say. */
export async function fetchPartialCounts(
  provider: BlinknetProvider,
  blockHash: Hash,
): Promise<readonly number[] | undefined> {
  const told = await ifKnown(provider.request({ method: 'devnet_getPartialBlocks', params: [{ blockHash }] }))
  return told?.transactionsByPartial
}

/** `undefined` for a method that the node does not have, being of an older build, or that is not for guests of its room. */
async function ifKnown<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProviderRpcError && error.code === ERROR_CODES['method-not-found']) return undefined
    throw error
  }
}
