import type { Hex } from '#primitives/hex.ts'
import type { RpcBlock } from '#rpc-types/objects.ts'
import { formatGwei, formatInteger, formatPercent, formatTimestamp } from '#ui/format/numbers.ts'

/** One field of a header: the node's own hex, and the same for people where that differs. */
export interface HeaderField {
  readonly name: string
  readonly raw: Hex
  /** Decimal, with its unit; `undefined` for what is no number. */
  readonly decimal: string | undefined
}

const quantity = (raw: Hex) => formatInteger(BigInt(raw))

/** The fields that a person looks for first. */
export function mainFields(block: RpcBlock): readonly HeaderField[] {
  return [
    { name: 'Hash', raw: block.hash, decimal: undefined },
    { name: 'Parent hash', raw: block.parentHash, decimal: undefined },
    { name: 'Timestamp', raw: block.timestamp, decimal: formatTimestamp(Number(block.timestamp)) },
    {
      name: 'Gas used',
      raw: block.gasUsed,
      decimal: `${quantity(block.gasUsed)} (${formatPercent(BigInt(block.gasUsed), BigInt(block.gasLimit))} of the limit)`,
    },
    { name: 'Gas limit', raw: block.gasLimit, decimal: quantity(block.gasLimit) },
    { name: 'Base fee per gas', raw: block.baseFeePerGas, decimal: formatGwei(BigInt(block.baseFeePerGas)) },
    { name: 'Size', raw: block.size, decimal: `${quantity(block.size)} bytes` },
    { name: 'State root', raw: block.stateRoot, decimal: undefined },
    { name: 'Transactions root', raw: block.transactionsRoot, decimal: undefined },
    { name: 'Receipts root', raw: block.receiptsRoot, decimal: undefined },
  ]
}

/** The rest: fixed, derived or only of use to programs. */
export function otherFields(block: RpcBlock): readonly HeaderField[] {
  return [
    { name: 'Number', raw: block.number, decimal: quantity(block.number) },
    { name: 'Fee recipient', raw: block.miner, decimal: undefined },
    { name: 'Extra data', raw: block.extraData, decimal: undefined },
    { name: 'Mix hash', raw: block.mixHash, decimal: undefined },
    { name: 'Parent beacon root', raw: block.parentBeaconBlockRoot, decimal: undefined },
    { name: 'Withdrawals root', raw: block.withdrawalsRoot, decimal: undefined },
    { name: 'Requests hash', raw: block.requestsHash, decimal: undefined },
    { name: 'Uncles hash', raw: block.sha3Uncles, decimal: undefined },
    { name: 'Blob gas used', raw: block.blobGasUsed, decimal: quantity(block.blobGasUsed) },
    { name: 'Excess blob gas', raw: block.excessBlobGas, decimal: quantity(block.excessBlobGas) },
    { name: 'Difficulty', raw: block.difficulty, decimal: quantity(block.difficulty) },
    { name: 'Nonce', raw: block.nonce, decimal: undefined },
    { name: 'Logs bloom', raw: block.logsBloom, decimal: undefined },
  ]
}
