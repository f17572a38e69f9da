import type { Hash } from '#primitives/hex.ts'
import type { Block, IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { BloomQuery } from './log-index.ts'

/** Read access to the chain. Every result is immutable. */
export interface ChainReader {
  /** Block 0, or that at which another chain was forked. */
  first(): SealedBlock
  /** The newest sealed block. */
  head(): SealedBlock
  /** The live block as of its newest partial block. */
  pending(): PartialBlock
  /** A sealed block by its number. */
  blockByNumber(number: number): SealedBlock | undefined
  /** A sealed block by its hash; never a partial one. */
  blockByHash(hash: Hash): SealedBlock | undefined
  /**
   * The sealed blocks of a range that may have logs of that kind, oldest first; all that have any are among them.
   *
   * @param from - Number of the first block.
   * @param to - Number of the last block; there need not be one.
   */
  blocksWithLogs(from: number, to: number, query: BloomQuery): readonly SealedBlock[]
  /** Finds an included transaction: first in sealed blocks, then in the live block. */
  findTransaction(hash: Hash): { readonly included: IncludedTransaction; readonly block: Block } | undefined
}
