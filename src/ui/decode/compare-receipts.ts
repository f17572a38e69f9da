import type { RpcLog, RpcReceipt } from '#rpc-types/objects.ts'

/** A field of two receipts, as the node sent it; `undefined` if missing. */
export interface ComparedField {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
  readonly equal: boolean
}

const LOG_FIELDS: readonly Exclude<keyof RpcLog, 'topics'>[] = [
  'address',
  'data',
  'logIndex',
  'blockHash',
  'blockNumber',
  'blockTimestamp',
  'transactionHash',
  'transactionIndex',
  'removed',
]

const RECEIPT_FIELDS: readonly Exclude<keyof RpcReceipt, 'logs'>[] = [
  'status',
  'gasUsed',
  'cumulativeGasUsed',
  'effectiveGasPrice',
  'blockNumber',
  'transactionIndex',
  'blockHash',
  'transactionHash',
  'type',
  'from',
  'to',
  'contractAddress',
  'logsBloom',
]

/** Compares a receipt before and after the seal, field by field, including its logs. */
export function compareReceipts(before: RpcReceipt, after: RpcReceipt): readonly ComparedField[] {
  return [
    ...RECEIPT_FIELDS.map((name) => compared(name, before[name], after[name])),
    ...positions(before.logs, after.logs).flatMap((i) => compareLogs(`logs[${i}]`, before.logs[i], after.logs[i])),
  ]
}

function compareLogs(name: string, before: RpcLog | undefined, after: RpcLog | undefined): readonly ComparedField[] {
  return [
    ...positions(before?.topics ?? [], after?.topics ?? []).map((i) =>
      compared(`${name}.topics[${i}]`, before?.topics[i], after?.topics[i]),
    ),
    ...LOG_FIELDS.map((field) => compared(`${name}.${field}`, before?.[field], after?.[field])),
  ]
}

/** The indices of the longer list. */
function positions(a: readonly unknown[], b: readonly unknown[]): readonly number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i)
}

type Scalar = string | boolean | null | undefined

function compared(name: string, before: Scalar, after: Scalar): ComparedField {
  const texts = { before: asText(before), after: asText(after) }
  return { name, ...texts, equal: texts.before === texts.after }
}

function asText(value: Scalar): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : String(value)
}
