import type { RpcReceipt } from '#rpc-types/objects.ts'
import type { PartialSlot } from '#ui/feed/feed-state.ts'
import type { FullBlock } from '#ui/queries/blocks.ts'

/**
 * The partial blocks that a sealed block was cut in.
 *
 * @param partials - Transactions new at each index; `undefined` (nobody watched) gives `undefined`.
 */
export function slotsOf(
  block: Pick<FullBlock, 'transactions'>,
  receipts: readonly Pick<RpcReceipt, 'transactionHash' | 'status'>[],
  partials: readonly number[] | undefined,
): readonly PartialSlot[] | undefined {
  if (!partials) return undefined
  const failed = new Set(
    receipts.filter(({ status }) => status === '0x0').map(({ transactionHash }) => transactionHash),
  )
  let start = 0
  return partials.map((count, index) => {
    const transactions = block.transactions
      .slice(start, start + count)
      .map(({ hash, from, to, value }) => ({ hash, from, to, value: BigInt(value), reverted: failed.has(hash) }))
    start += count
    return { index, transactions }
  })
}
