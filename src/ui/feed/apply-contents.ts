import type { Hash } from '#primitives/hex.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { type FeedDraft, fieldsOf, includedOf } from './feed-draft.ts'
import { DRAWN_CAPACITY, type FeedTransaction, type SealedSummary } from './feed-state.ts'

/** Contents of a sealed block that the feed did not see grow. */
export interface BlockContents {
  readonly block: RpcBlock<RpcTransaction>
  readonly receipts: readonly RpcReceipt[]
  /** Number of transactions that each partial block added; `undefined` if the node does not say. */
  readonly counts: readonly number[] | undefined
}

/**
 * Fills sealed blocks with contents fetched later, and adds the transactions of blocks from before them.
 *
 * @param contents - In any order; blocks that are gone or were followed are not changed.
 */
export function applyContents(draft: FeedDraft, contents: readonly BlockContents[]): void {
  const byHash = new Map(contents.map((one) => [one.block.hash, one]))
  const isAsked = ({ hash, slots }: SealedSummary) => slots === undefined && byHash.has(hash)
  const end = draft.sealed.at(-1)?.number ?? 0
  const earlier = contents.filter(({ block }) => Number(block.number) < end)
  const older: FeedTransaction[] = earlier
    .toSorted((a, b) => Number(a.block.number) - Number(b.block.number))
    .flatMap(sealedOf)
    .filter((tx) => !draft.transactions.has(tx.hash))
  for (const { hash } of draft.sealed.filter(isAsked).toReversed()) {
    const found = byHash.get(hash)
    if (found) older.push(...sealedOf(found).filter((tx) => !draft.transactions.has(tx.hash)))
  }
  draft.sealed = draft.sealed.map((summary, i) => {
    const found = i < DRAWN_CAPACITY && isAsked(summary) ? byHash.get(summary.hash) : undefined
    return found ? { ...summary, ...drawnOf(found) } : summary
  })
  putBefore(draft.transactions, older)
}

function sealedOf({ block, receipts, counts }: BlockContents): readonly FeedTransaction[] {
  const failed = failedOf(receipts)
  const indexes = indexesOf(counts)
  return block.transactions.map((tx, i) => ({
    ...fieldsOf(tx),
    status: 'sealed',
    outcome: failed.has(tx.hash) ? 'reverted' : 'success',
    blockNumber: Number(block.number),
    partialIndex: indexes[i],
  }))
}

function drawnOf({
  block,
  receipts,
  counts,
}: BlockContents): Pick<SealedSummary, 'slots' | 'revertedCount' | 'partials'> {
  const failed = failedOf(receipts)
  const transactions = block.transactions.map((tx) => includedOf(fieldsOf(tx), failed.has(tx.hash)))
  const indexes = indexesOf(counts)
  const slots = counts
    ? counts.map((_, index) => ({ index, transactions: transactions.filter((_tx, i) => indexes[i] === index) }))
    : [{ index: 0, transactions }]
  return { slots, revertedCount: failed.size, partials: counts }
}

/** Partial block of each transaction of a block, by its position. */
export function indexesOf(counts: readonly number[] | undefined): readonly number[] {
  return counts?.flatMap((count, index) => Array.from({ length: count }, () => index)) ?? []
}

function failedOf(receipts: readonly RpcReceipt[]): ReadonlySet<Hash> {
  return new Set(receipts.filter(({ status }) => status === '0x0').map((receipt) => receipt.transactionHash))
}

/** The map is ordered oldest first. */
function putBefore(transactions: Map<Hash, FeedTransaction>, older: readonly FeedTransaction[]): void {
  if (older.length === 0) return
  const newer = [...transactions]
  transactions.clear()
  for (const tx of older) transactions.set(tx.hash, tx)
  for (const [hash, tx] of newer) transactions.set(hash, tx)
}
