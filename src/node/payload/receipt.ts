import { bigIntToBytes } from '#primitives/bytes.ts'
import { addLogs, emptyBloom } from '../evm/bloom.ts'
import type { EngineLog } from '../evm/message.ts'
import { listSize, RlpWriter, stringSize } from '../tx/rlp-writer.ts'
import type { Receipt } from './block.ts'

const SUCCEEDED = Uint8Array.of(1)
const FAILED = new Uint8Array(0)
/** Sizes including their RLP headers, in bytes. */
const ADDRESS_SIZE = 21
const TOPIC_SIZE = 33

/** Scratch space for temporary receipts, one at a time. */
let scratch = new Uint8Array(1_024)
const bloom = emptyBloom()

/** A receipt as in the receipts trie: EIP-2718 envelope, or plain RLP for a legacy transaction. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  return receiptView(receipt).slice()
}

/** Like {@link encodeReceipt}, but as a view that the next call overwrites: a trie only needs it until it is hashed. */
export function receiptView({ type, status, cumulativeGasUsed, logs }: Receipt): Uint8Array {
  const gas = bigIntToBytes(cumulativeGasUsed)
  let logsSize = 0
  for (const log of logs) logsSize += listSize(sizeOfLog(log))
  const size = 1 + stringSize(gas) + stringSize(bloom) + listSize(logsSize)
  const total = (type === 0 ? 0 : 1) + listSize(size)
  if (scratch.length < total) scratch = new Uint8Array(2 * total)
  const writer = new RlpWriter(scratch)
  if (type !== 0) writer.byte(type)
  writer.list(size)
  writer.string(status === 1 ? SUCCEEDED : FAILED)
  writer.string(gas)
  bloom.fill(0)
  addLogs(bloom, logs)
  writer.string(bloom)
  writer.list(logsSize)
  for (const log of logs) writeLog(writer, log)
  return scratch.subarray(0, total)
}

/** Size of the members of a log's list, in bytes. */
function sizeOfLog({ topics, data }: EngineLog): number {
  return ADDRESS_SIZE + listSize(TOPIC_SIZE * topics.length) + stringSize(data)
}

function writeLog(writer: RlpWriter, log: EngineLog): void {
  const { address, topics, data } = log
  writer.list(sizeOfLog(log))
  writer.hex(address)
  writer.list(TOPIC_SIZE * topics.length)
  for (const topic of topics) writer.hex(topic)
  writer.string(data)
}
