import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import type { BlockContents } from './apply-contents.ts'
import type { FeedEvent } from './reducer.ts'

/** Transactions from which on no older block is asked for. */
const ENOUGH = 100
/** Of a block with more only the number is shown: its answer would be megabytes, for a list that shows twenty. */
const MAX_IN_BLOCK = 2_000
/** Waiting transactions that are asked for; of more it would be a part only. */
const MAX_WAITING = 500

/**
 * Contents of the newest of some sealed blocks, each with its transactions and their outcomes.
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

/** The pool's transactions, as far as they can be shown. */
export async function fetchWaiting(provider: BlinknetProvider): Promise<readonly FeedEvent[]> {
  const status = await provider.request({ method: 'txpool_status' })
  const count = Number(status.pending) + Number(status.queued)
  if (count === 0 || count > MAX_WAITING) return []
  const { pending, queued } = await provider.request({ method: 'txpool_content' })
  return [pending, queued].flatMap((senders) =>
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

/** `undefined` if the block was reverted in the meantime. */
async function fetchBlock(provider: BlinknetProvider, hash: Hash): Promise<BlockContents | undefined> {
  const [block, receipts] = await Promise.all([
    provider.request({ method: 'eth_getBlockByHash', params: [hash, true] }),
    provider.request({ method: 'eth_getBlockReceipts', params: [{ blockHash: hash }] }),
  ])
  if (!block) return undefined
  return { block: block as RpcBlock<RpcTransaction>, receipts: receipts ?? [] }
}
