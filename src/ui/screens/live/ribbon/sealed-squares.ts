import { type Square, squareOf } from '#ui/chain/squares/square.ts'
import type { SealedSummary } from '#ui/feed/feed-state.ts'

/** In block order if the page saw it; otherwise reverted ones last. */
export function sealedSquares(block: SealedSummary, ownHashes: Parameters<typeof squareOf>[2]): readonly Square[] {
  if (block.slots) {
    return block.slots.flatMap((slot) => slot.transactions.map((tx) => squareOf(tx, 'sealed', ownHashes)))
  }
  const count = block.transactionCount ?? 0
  return Array.from({ length: count }, (_, i) => ({
    status: 'sealed',
    reverted: i >= count - block.revertedCount,
    own: false,
    tx: undefined,
  }))
}
