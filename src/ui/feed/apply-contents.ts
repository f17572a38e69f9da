import type { Hash } from '#primitives/hex.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { type Draft, fieldsOf, includedOf } from './feed-draft.ts'
import { DRAWN_CAPACITY, type FeedTransaction, type SealedSummary } from './feed-state.ts'

/** Contents of a sealed block that the feed did not see grow. */
export interface BlockContents {
  readonly block: RpcBlock<RpcTransaction>
  readonly receipts: readonly RpcReceipt[]
}

/**
 * Fills sealed blocks with contents fetched later. The partial block of each transaction stays unknown.
 *
 * @param contents - In any order; blocks that are gone or were followed are not changed.
 */
export function applyContents(draft: Draft, contents: readonly BlockContents[]): void {
  const byHash = new Map(contents.map((one) => [one.block.hash, one]))
  const isAsked = ({ hash, slots }: SealedSummary) => slots === undefined && byHash.has(hash)
  const older: FeedTransaction[] = []
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

function sealedOf({ block, receipts }: BlockContents): readonly FeedTransaction[] {
  const failed = failedOf(receipts)
  return block.transactions.map((tx) => ({
    ...fieldsOf(tx),
    stage: 'sealed',
    outcome: failed.has(tx.hash) ? 'reverted' : 'success',
    blockNumber: Number(block.number),
    partialIndex: undefined,
  }))
}

function drawnOf({ block, receipts }: BlockContents): Pick<SealedSummary, 'slots' | 'revertedCount'> {
  const failed = failedOf(receipts)
  const transactions = block.transactions.map((tx) => includedOf(fieldsOf(tx), failed.has(tx.hash)))
  return { slots: [{ index: 0, transactions }], revertedCount: failed.size }
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
