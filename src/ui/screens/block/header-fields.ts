import type { Hex } from '#primitives/hex.ts'
import type { RpcBlock } from '#rpc-types/objects.ts'
import type { TermId } from '#ui/components/glossary.ts'
import { formatGwei, formatInteger, formatPercent, formatTimestamp } from '#ui/format/numbers.ts'

/** One header field: the node's hex, and a readable form if that differs. */
export interface HeaderField {
  readonly name: string
  readonly raw: Hex
  /** Decimal with its unit; `undefined` if it is not a number. */
  readonly decimal: string | undefined
  readonly term?: TermId | undefined
  /** The number's unit, if it can be shown in several. */
  readonly unit?: 'wei' | 'seconds' | undefined
}

/** A field that may be missing, since not every chain's headers have all. */
type MaybeField = readonly [
  name: string,
  raw: Hex | null | undefined,
  decimal?: (raw: Hex) => string,
  term?: TermId | undefined,
  unit?: HeaderField['unit'],
]

function present(fields: readonly MaybeField[]): readonly HeaderField[] {
  return fields.flatMap(([name, raw, decimal, term, unit]) =>
    raw === null || raw === undefined ? [] : [{ name, raw, decimal: decimal?.(raw), term, unit }],
  )
}

const quantity = (raw: Hex) => formatInteger(BigInt(raw))

/** The fields that people look for first. */
export function mainFields(block: RpcBlock): readonly HeaderField[] {
  return present([
    ['Hash', block.hash],
    ['Parent hash', block.parentHash],
    ['Timestamp', block.timestamp, (raw) => formatTimestamp(Number(raw)), undefined, 'seconds'],
    [
      'Gas used',
      block.gasUsed,
      (raw) => `${quantity(raw)} (${formatPercent(BigInt(raw), BigInt(block.gasLimit))} of the limit)`,
      'gas',
    ],
    ['Gas limit', block.gasLimit, quantity],
    ['Base fee per gas', block.baseFeePerGas, (raw) => formatGwei(BigInt(raw)), 'base-fee', 'wei'],
    ['Size', block.size, (raw) => `${quantity(raw)} bytes`],
    ['State root', block.stateRoot],
    ['Transactions root', block.transactionsRoot],
    ['Receipts root', block.receiptsRoot],
  ])
}

/** The other fields: constant, derived or only useful to programs. */
export function otherFields(block: RpcBlock): readonly HeaderField[] {
  return present([
    ['Number', block.number, quantity],
    ['Fee recipient', block.miner],
    ['Extra data', block.extraData],
    ['Mix hash', block.mixHash],
    ['Parent beacon root', block.parentBeaconBlockRoot],
    ['Withdrawals root', block.withdrawalsRoot],
    ['Requests hash', block.requestsHash],
    ['Uncles hash', block.sha3Uncles],
    ['Blob gas used', block.blobGasUsed, quantity],
    ['Excess blob gas', block.excessBlobGas, quantity],
    ['Difficulty', block.difficulty, quantity],
    ['Nonce', block.nonce],
    ['Logs bloom', block.logsBloom],
  ])
}
