import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { Header, IncludedTransaction, SealedBlock, StateEdit } from '../payload/block.ts'
import { decodeExtraData, EXTRA_DATA_BYTES, isExtraData } from '../spec/extra-data.ts'
import { TRANSACTION_GAS } from '../spec/gas-schedule.ts'
import { feeCap } from '../tx/transaction.ts'

// A file's author can hash any block. So blocks are held against what a node can seal, whatever their hashes say.

const MAX_UINT256 = 2n ** 256n - 1n
/** Most topics of a log: `LOG4`. */
const MAX_TOPICS = 4

/**
 * Names the first field of a block that no node writes, and says what it has to be; `undefined` if there is none.
 *
 * @param chainId - That of the chain.
 */
export function wrongFieldOf(
  { header, transactions, edits }: Pick<SealedBlock, 'header' | 'transactions' | 'edits'>,
  chainId: bigint,
): string | undefined {
  return wrongHeaderField(header) ?? wrongTransaction(transactions, header, chainId) ?? wrongEdit(edits, transactions)
}

function wrongHeaderField({ gasLimit, gasUsed, baseFeePerGas, extraData }: Header): string | undefined {
  const { min, max } = OPTION_RANGES.gasLimit
  if (gasLimit < min || gasLimit > max) return `gasLimit must be from ${min} to ${max}, not ${short(gasLimit)}`
  if (gasUsed > gasLimit) return `gasUsed must be at most the gas limit of ${gasLimit}, not ${short(gasUsed)}`
  if (baseFeePerGas > MAX_UINT256) return `baseFeePerGas must have at most 256 bits`
  if (!isExtraData(extraData)) return `extraData must be ${EXTRA_DATA_BYTES} bytes of version 1`
  const { denominator, elasticity, minBaseFee } = decodeExtraData(extraData)
  const isRule =
    isWithin('baseFeeDenominator', denominator) &&
    isWithin('baseFeeElasticity', elasticity) &&
    isWithin('minBaseFee', minBaseFee)
  return isRule ? undefined : 'extraData must have a base fee rule that a chain can have'
}

function wrongTransaction(
  transactions: readonly IncludedTransaction[],
  { baseFeePerGas }: Header,
  chainId: bigint,
): string | undefined {
  let newest = 0
  for (const { tx, receipt, partialIndex, transactionIndex } of transactions) {
    const { gasUsed, logs } = receipt
    const what = `transaction ${transactionIndex}:`
    if (partialIndex < newest || !isIndex(partialIndex)) {
      return `${what} its partial block must be from ${newest} to ${MAX_INDEX}, not ${partialIndex}`
    }
    newest = partialIndex
    if (tx.chainId !== null && tx.chainId !== chainId)
      return `${what} chainId must be ${chainId}, not ${short(tx.chainId)}`
    if (feeCap(tx) < baseFeePerGas) return `${what} its fee must be at least the base fee`
    if (gasUsed < TRANSACTION_GAS || gasUsed > tx.gas) {
      return `${what} gasUsed must be from ${TRANSACTION_GAS} to its gas of ${tx.gas}, not ${short(gasUsed)}`
    }
    if (receipt.l1 && Object.values(receipt.l1).some((value: bigint) => value > MAX_UINT256)) {
      return `${what} what it paid for L1 must have at most 256 bits each`
    }
    if (logs.some(({ topics }) => topics.length > MAX_TOPICS)) return `${what} a log has more than ${MAX_TOPICS} topics`
  }
  return undefined
}

function wrongEdit(edits: readonly StateEdit[], transactions: readonly IncludedTransaction[]): string | undefined {
  let newest = 0
  for (const [i, { position, partialIndex }] of edits.entries()) {
    if (position < newest || position > transactions.length) {
      return `edit ${i}: its position must be from ${newest} to ${transactions.length}, not ${position}`
    }
    newest = position
    if (!isIndex(partialIndex))
      return `edit ${i}: its partial block must be from 0 to ${MAX_INDEX}, not ${partialIndex}`
  }
  return undefined
}

const MAX_INDEX = OPTION_RANGES.partialsPerBlock.max - 1

function isIndex(partialIndex: number): boolean {
  return partialIndex <= MAX_INDEX
}

function isWithin(name: 'baseFeeDenominator' | 'baseFeeElasticity' | 'minBaseFee', value: bigint): boolean {
  const { min, max } = OPTION_RANGES[name]
  return value >= min && value <= max
}

/** A number that may have hundreds of digits. */
function short(value: bigint): string {
  return value > MAX_UINT256 ? 'a number of more than 256 bits' : value.toString()
}
