import type { ExecutionGuard } from '../evm/engine.ts'

/** What `items.map(transform)` is, but hands the thread over as `guard` says: some answers are megabytes. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  transform: (item: Item, index: number) => Result,
  guard: ExecutionGuard,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    results.push(transform(item, index))
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return results
}
