import { type Hex, toQuantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcFeeHistory } from '#rpc-types/objects.ts'
import type { Block } from '../../../payload/block.ts'
import { nextBaseFee } from '../../../spec/base-fee.ts'
import type { ChainReader } from '../../../storage/chain-reader.ts'
import { mapInSlices } from '../../../turns/map-in-slices.ts'
import { effectiveTip } from '../../../tx/transaction.ts'
import { guardFor } from '../../caller-guard.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { blockNumber, findStateBlock } from '../../params/block-params.ts'
import { optional } from '../../params/param.ts'
import { hexOrDecimal, numbers } from '../../params/plain-params.ts'

/** Wei per blob gas without any blobs (EIP-4844). */
export const BLOB_BASE_FEE: Hex = '0x1'

/** Most blocks per answer; longer ranges are cut, as in geth. */
const MAX_BLOCKS = 1024

const MAX_PERCENTILES = 100

/** Prices of gas, now and in past blocks. */
export const ETH_FEE_METHODS = {
  /** The base fee of the live block, which follows the sealed head. */
  eth_baseFee: defineMethod([], ({ chain }) => toQuantity(chain.pending().header.baseFeePerGas)),

  /** {@link BLOB_BASE_FEE}. */
  eth_blobBaseFee: defineMethod([], () => BLOB_BASE_FEE),

  /** The price for a legacy transaction to be included in the live block. */
  eth_gasPrice: defineMethod([], ({ chain, spec }) =>
    toQuantity(chain.pending().header.baseFeePerGas + spec.suggestedTip),
  ),

  /**
   * The tip that the node suggests, always the same. A block here is hardly ever full, and every transaction that fits is
   * included at the next tick whatever its tip, so recent prices would say nothing more.
   */
  eth_maxPriorityFeePerGas: defineMethod([], ({ spec }) => toQuantity(spec.suggestedTip)),

  /** Base fees, gas used ratios and tips of past blocks including the live one, and the next base fee. */
  eth_feeHistory: defineMethod(
    [hexOrDecimal, blockNumber, optional(numbers, undefined)],
    async (context, blockCount, newestRef, percentiles): Promise<RpcFeeHistory> => {
      const { chain } = context
      if (percentiles) checkPercentiles(percentiles)
      const newest = findStateBlock(context, newestRef)
      if (!newest) {
        const head = chain.head().header.number
        throw new RpcRefusedError('server', `request beyond head block: requested ${newestRef}, head ${head}`)
      }
      const count = Math.min(Number(blockCount), MAX_BLOCKS, newest.header.number - chain.first().header.number + 1)
      if (count === 0) return EMPTY_HISTORY
      const blocks = blocksUpTo(chain, newest, count)
      return {
        oldestBlock: toQuantity(newest.header.number - count + 1),
        baseFeePerGas: [...blocks.map(({ header }) => header.baseFeePerGas), nextBaseFee(newest.header)].map(
          toQuantity,
        ),
        gasUsedRatio: blocks.map(({ header }) => Number(header.gasUsed) / Number(header.gasLimit)),
        baseFeePerBlobGas: [...blocks.map(() => BLOB_BASE_FEE), BLOB_BASE_FEE],
        blobGasUsedRatio: blocks.map(() => 0),
        ...(percentiles?.length && {
          reward: await mapInSlices(blocks, (block) => rewards(block, percentiles), guardFor(context)),
        }),
      }
    },
    { queue: 'answer' },
  ),
} satisfies Partial<MethodTable>

const EMPTY_HISTORY: RpcFeeHistory = {
  oldestBlock: '0x0',
  baseFeePerGas: [],
  gasUsedRatio: [],
  baseFeePerBlobGas: [],
  blobGasUsedRatio: [],
}

function checkPercentiles(percentiles: readonly number[]): void {
  const refuse = (detail: string) => {
    throw new RpcRefusedError('server', `invalid reward percentile: ${detail}`)
  }
  if (percentiles.length > MAX_PERCENTILES) refuse(`over the query limit ${MAX_PERCENTILES}`)
  percentiles.forEach((percentile, i) => {
    if (percentile < 0 || percentile > 100) refuse(percentile.toFixed(6))
    const before = percentiles[i - 1]
    if (before !== undefined && percentile <= before) {
      refuse(`#${i - 1}:${before.toFixed(6)} >= #${i}:${percentile.toFixed(6)}`)
    }
  })
}

/** `count` blocks up to `newest`, oldest first. */
function blocksUpTo(chain: ChainReader, newest: Block, count: number): readonly Block[] {
  const blocks: Block[] = []
  for (let number = newest.header.number - count + 1; number < newest.header.number; number++) {
    const block = chain.blockByNumber(number)
    invariant(block, `block ${number} is missing below the head`)
    blocks.push(block)
  }
  return [...blocks, newest]
}

/**
 * For each percentile of the block's gas, the tip of the transaction that uses it, cheapest first; zeros for an empty
 * block.
 */
function rewards({ header, transactions }: Block, percentiles: readonly number[]): readonly Hex[] {
  const byTip = transactions
    .map(({ tx, receipt }) => ({ tip: effectiveTip(tx, header.baseFeePerGas), gasUsed: receipt.gasUsed }))
    .toSorted((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  let index = 0
  let gasSoFar = byTip[0]?.gasUsed ?? 0n
  return percentiles.map((percentile) => {
    const threshold = BigInt(Math.floor((Number(header.gasUsed) * percentile) / 100))
    for (let next = byTip[index + 1]; next && gasSoFar < threshold; next = byTip[index + 1]) {
      gasSoFar += next.gasUsed
      index++
    }
    return toQuantity(byTip[index]?.tip ?? 0n)
  })
}
