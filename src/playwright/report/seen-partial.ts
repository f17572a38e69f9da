import type { SeenPartial } from '#report/test-record.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'

/** Characters of a hash that are kept. */
const HASH = 14

/**
 * A partial block that a subscription tells of now.
 *
 * @param before - The one before it.
 */
export function seenPartial(
  { index, base, diff, metadata }: Pick<PartialBlockDiff, 'index' | 'base' | 'diff' | 'metadata'>,
  before: SeenPartial | undefined,
): SeenPartial {
  const number = Number(metadata.blockNumber)
  // Within a block, all so far comes again only where something was taken back.
  const withdrawn = base !== undefined && before?.number === number
  const hash = diff.blockHash.slice(0, HASH)
  return { atMs: Date.now(), number, index, hash, transactions: metadata.transactionCount, withdrawn }
}
