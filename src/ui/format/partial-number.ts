/**
 * A partial block as people count: the node's index 4 is partial block 5 of 10.
 *
 * @param index - As the node has it, from 0.
 */
export function partialNumber(index: number): number {
  return index + 1
}

/** “Partial block 4”, or “Partial blocks 4 to 6” for those from the first to the last of these indices. */
export function partialsInWords(indices: readonly number[]): string {
  const [first, last] = [partialNumber(Math.min(...indices)), partialNumber(Math.max(...indices))]
  return first === last ? `Partial block ${first}` : `Partial blocks ${first} to ${last}`
}
