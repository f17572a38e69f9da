import type { ExecutionGuard } from './guard.ts'

/** Like `[...items].map(transform)`, but yields to others when `guard` says so, since some answers are megabytes. */
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

/** Splits a list, a text or bytes into pieces of `size` for {@link mapInSlices}; the last one may be shorter. */
export function* portionsOf<Portion>(
  whole: { readonly length: number; slice(start: number, end: number): Portion },
  size: number,
): Generator<Portion> {
  for (let start = 0; start < whole.length; start += size) yield whole.slice(start, start + size)
}
