import { type Hex, toQuantity } from '#primitives/hex.ts'
import type { RpcOtsBlock, RpcOtsBlockDetails } from '#rpc-types/methods/ots.ts'
import type { Block } from '../../../payload/block.ts'
import { mapInSlices } from '../../../turns/map-in-slices.ts'
import { guardFor } from '../../caller-guard.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { formatBlock } from '../../format/block.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { formatIncluded } from '../../format/transaction.ts'
import { blockNumber, blockRef, findBlock, requireStateBlock } from '../../params/block-params.ts'
import { address, hash } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'

/** The version of Otterscan's methods. */
const API_LEVEL = 8
/** Transactions of one page of a block. */
const MAX_PAGE = 1_000
/** Characters of the prefix and of a selector. */
const SELECTOR_LENGTH = 10

/** Blocks, without what an explorer does not show. */
export const OTS_BLOCK_METHODS = {
  /** By the list of methods that there are. */
  ots_getApiLevel: defineMethod([], () => API_LEVEL),

  /** Without sending the code. */
  ots_hasCode: defineMethod(
    [address, optional(blockRef, 'latest')],
    (context, account, ref) => requireStateBlock(context, ref).state.code(account).length > 0,
  ),

  /** `null` without such a block. */
  ots_getBlockDetails: defineMethod([blockNumber], (context, ref) => formatDetails(findBlock(context, ref))),

  /** Sealed blocks only. */
  ots_getBlockDetailsByHash: defineMethod([hash], ({ chain }, blockHash) =>
    formatDetails(chain.blockByHash(blockHash)),
  ),

  /** As in Erigon, pages are counted from the end, and each is in the order of the block. */
  ots_getBlockTransactions: defineMethod(
    [blockNumber, integerWithin(0, Number.MAX_SAFE_INTEGER), integerWithin(1, MAX_PAGE)],
    async (context, ref, page, size) => {
      const block = findBlock(context, ref)
      if (!block) return null
      const end = Math.max(0, block.transactions.length - page * size)
      const shown = block.transactions.slice(Math.max(0, end - size), end)
      const formatted = await mapInSlices(
        shown,
        (included) => {
          const transaction = formatIncluded(included, block)
          const input = transaction.input.slice(0, SELECTOR_LENGTH) as Hex
          const timestamp = toQuantity(block.header.timestamp)
          const receipt = { ...formatReceipt(included, block), logs: null, logsBloom: null, timestamp }
          return { transaction: { ...transaction, input }, receipt }
        },
        guardFor(context),
      )
      return {
        fullblock: { ...formatOtsBlock(block), transactions: formatted.map(({ transaction }) => transaction) },
        receipts: formatted.map(({ receipt }) => receipt),
      }
    },
    { queue: 'answer' },
  ),
} satisfies Partial<MethodTable>

function formatOtsBlock(block: Block): RpcOtsBlock {
  const { transactions, ...rest } = formatBlock(block)
  return { ...rest, logsBloom: null, transactionCount: transactions.length }
}

function formatDetails(block: Block | undefined): RpcOtsBlockDetails | null {
  if (!block) return null
  const fees = block.transactions.map(({ receipt }) => receipt.gasUsed * receipt.effectiveGasPrice)
  return {
    block: formatOtsBlock(block),
    issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
    totalFees: toQuantity(fees.reduce((sum, fee) => sum + fee, 0n)),
  }
}
