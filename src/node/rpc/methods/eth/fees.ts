import { type Hex, toQuantity } from '#primitives/hex.ts'
import { defineMethod } from '../../define-method.ts'

/**
 * Tip that the node suggests, in wei per gas: always 1 gwei. A block here is hardly ever full, and what fits is included
 * at the next tick whatever it tips, so there is no market whose recent prices would say more.
 */
export const SUGGESTED_TIP = 1_000_000_000n

/** Wei per blob gas while there are no blobs (EIP-4844). */
export const BLOB_BASE_FEE: Hex = '0x1'

/** `eth_baseFee`: that of the block after the sealed head, which is the live one. */
export const ethBaseFee = defineMethod('eth_baseFee', [], ({ chain }) =>
  toQuantity(chain.pending().header.baseFeePerGas),
)

/** `eth_blobBaseFee`: {@link BLOB_BASE_FEE}. */
export const ethBlobBaseFee = defineMethod('eth_blobBaseFee', [], () => BLOB_BASE_FEE)

/** `eth_gasPrice`: what a legacy transaction should offer to be in the live block. */
export const ethGasPrice = defineMethod('eth_gasPrice', [], ({ chain }) =>
  toQuantity(chain.pending().header.baseFeePerGas + SUGGESTED_TIP),
)

/** `eth_maxPriorityFeePerGas`: {@link SUGGESTED_TIP}. */
export const ethMaxPriorityFeePerGas = defineMethod('eth_maxPriorityFeePerGas', [], () => toQuantity(SUGGESTED_TIP))
