import type { SeenPartial } from '#report/test-record.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'

/**
 * A partial block that a subscription tells of now.
 *
 * @param before - The one before it.
 */
export function seenPartial(
  { index, base, metadata }: Pick<PartialBlockDiff, 'index' | 'base' | 'metadata'>,
  before: SeenPartial | undefined,
): SeenPartial {
  const number = Number(metadata.blockNumber)
  // Within a block, all so far comes again only where something was taken back.
  const withdrawn = base !== undefined && before?.number === number
  return { atMs: Date.now(), number, index, transactions: metadata.transactionCount, withdrawn }
}
