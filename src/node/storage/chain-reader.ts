import type { Hash } from '#primitives/hex.ts'
import type { Block, IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'

/** The chain as readers see it; every answer is immutable. */
export interface ChainReader {
  /** The newest sealed block. */
  head(): SealedBlock
  /** The live block as of its newest partial block. */
  pending(): PartialBlock
  /** A sealed block. */
  blockByNumber(number: number): SealedBlock | undefined
  /** A sealed block; never a partial one. */
  blockByHash(hash: Hash): SealedBlock | undefined
  /** Finds an included transaction: in sealed blocks first, then in the live block. */
  findTransaction(hash: Hash): { readonly included: IncludedTransaction; readonly block: Block } | undefined
}
