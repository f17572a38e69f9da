import type { PartialBlock } from './block.ts'

/** Number of transactions added by each partial block of the live block, from index 0 to the newest. */
export function countByPartial({ index, transactions }: Pick<PartialBlock, 'index' | 'transactions'>): number[] {
  const counts = Array.from({ length: index + 1 }, () => 0)
  for (const { partialIndex } of transactions) counts[partialIndex] = (counts[partialIndex] ?? 0) + 1
  return counts
}
