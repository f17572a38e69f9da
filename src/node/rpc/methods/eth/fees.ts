import { type Hex, toQuantity } from '#primitives/hex.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'

/**
 * Tip that the node suggests, in wei per gas: always 1 gwei. A block here is hardly ever full, and what fits is included
 * at the next tick whatever it tips, so there is no market whose recent prices would say more.
 */
export const SUGGESTED_TIP = 1_000_000_000n

/** Wei per blob gas while there are no blobs (EIP-4844). */
export const BLOB_BASE_FEE: Hex = '0x1'

/** Prices of gas. */
export const FEE_METHODS = {
  /** That of the block after the sealed head, which is the live one. */
  eth_baseFee: defineMethod([], ({ chain }) => toQuantity(chain.pending().header.baseFeePerGas)),

  /** {@link BLOB_BASE_FEE}. */
  eth_blobBaseFee: defineMethod([], () => BLOB_BASE_FEE),

  /** What a legacy transaction should offer to be in the live block. */
  eth_gasPrice: defineMethod([], ({ chain }) => toQuantity(chain.pending().header.baseFeePerGas + SUGGESTED_TIP)),

  /** {@link SUGGESTED_TIP}. */
  eth_maxPriorityFeePerGas: defineMethod([], () => toQuantity(SUGGESTED_TIP)),
} satisfies Partial<MethodTable>
