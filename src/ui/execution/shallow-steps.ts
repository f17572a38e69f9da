/** Steps in a block. */
const BLOCK = 1_024

/** The least depth in each block of steps, computed at the first search. */
const MINIMA = new WeakMap<Uint16Array, Uint16Array>()

function minimaOf(depths: Uint16Array): Uint16Array {
  const known = MINIMA.get(depths)
  if (known) return known
  const minima = new Uint16Array(Math.ceil(depths.length / BLOCK))
  for (let block = 0; block < minima.length; block++) {
    let least = 0xffff
    for (const depth of depths.subarray(block * BLOCK, (block + 1) * BLOCK)) if (depth < least) least = depth
    minima[block] = least
  }
  MINIMA.set(depths, minima)
  return minima
}

/**
 * The nearest step that is no deeper than `most`. It skips deeper ones a block at a time: a call may take millions of steps.
 *
 * @param depths - Call depth of each step; must not change.
 * @param from - The first step to consider.
 * @param most - Depth, from 0.
 * @returns −1 if there is none.
 */
export function nearestUpTo(depths: Uint16Array, from: number, most: number, direction: 1 | -1): number {
  const minima = minimaOf(depths)
  const edge = direction === 1 ? 0 : BLOCK - 1
  for (let at = from; at >= 0 && at < depths.length; at += direction) {
    // At a block's edge, skip every block that is too deep throughout.
    while (at % BLOCK === edge && (minima[Math.floor(at / BLOCK)] ?? most) > most) at += direction * BLOCK
    const depth = depths[at]
    if (depth !== undefined && depth <= most) return at
  }
  return -1
}
