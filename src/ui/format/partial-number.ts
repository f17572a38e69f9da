/**
 * A partial block as people count: the node's index 4 is partial block 5 of 10.
 *
 * @param index - As the node has it, from 0.
 */
export function partialNumber(index: number): number {
  return index + 1
}
