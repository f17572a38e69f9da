import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'

/** How a block is divided. */
export interface Division {
  readonly partialMs: number
  readonly partialsPerBlock: number
}

/**
 * Divides a block into partial blocks.
 *
 * @param blockMs - Milliseconds from block to block.
 * @param wanted - What is fixed already.
 * @returns The division whose partial blocks are closest to the usual 200 ms; `undefined` if there is none.
 */
export function divideBlock(blockMs: number, wanted: Partial<Division>): Division | undefined {
  const { partialMs: lengths, partialsPerBlock: counts } = OPTION_RANGES
  let best: Division | undefined
  const distance = (division: Division) => Math.abs(division.partialMs - lengths.default)
  for (let partialsPerBlock: number = counts.min; partialsPerBlock <= counts.max; partialsPerBlock++) {
    const partialMs = blockMs / partialsPerBlock
    if (!Number.isInteger(partialMs) || partialMs < lengths.min || partialMs > lengths.max) continue
    if (wanted.partialMs !== undefined && wanted.partialMs !== partialMs) continue
    if (wanted.partialsPerBlock !== undefined && wanted.partialsPerBlock !== partialsPerBlock) continue
    const division = { partialMs, partialsPerBlock }
    if (!best || distance(division) < distance(best)) best = division
  }
  return best
}
