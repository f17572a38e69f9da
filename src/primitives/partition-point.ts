/**
 * Index of the first item for which `isBefore` does not hold, by binary search; the length if it holds for all.
 *
 * @param items - Those for which it holds come before all others.
 */
export function partitionPoint<Item>(items: ArrayLike<Item>, isBefore: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(items[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}
