import type { ExecutionGuard } from '../evm/message.ts'

/** The same as `[...items].map(transform)`, but lets others run when `guard` says so: some answers are megabytes. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  transform: (item: Item) => Result,
  guard: ExecutionGuard,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(transform(item))
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return results
}

/** A list, a text or bytes in pieces of `size`, the last one perhaps shorter: what {@link mapInSlices} goes through. */
export function* portionsOf<Portion>(
  whole: { readonly length: number; slice(start: number, end: number): Portion },
  size: number,
): Generator<Portion> {
  for (let start = 0; start < whole.length; start += size) yield whole.slice(start, start + size)
}
