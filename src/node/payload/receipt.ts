import { bigIntToBytes } from '#primitives/bytes.ts'
import type { EngineLog } from '../evm/engine.ts'
import { listSize, RlpWriter, stringSize } from '../tx/rlp-writer.ts'
import type { Receipt } from './block.ts'

const SUCCEEDED = Uint8Array.of(1)
const FAILED = new Uint8Array(0)
/** With their headers. */
const ADDRESS_SIZE = 21
const TOPIC_SIZE = 33

/** A receipt as the receipts trie holds it: EIP-2718 envelope, or plain RLP for a legacy transaction. */
export function encodeReceipt({ type, status, cumulativeGasUsed, logsBloom, logs }: Receipt): Uint8Array {
  const gas = bigIntToBytes(cumulativeGasUsed)
  let logsSize = 0
  for (const log of logs) logsSize += listSize(sizeOfLog(log))
  const size = 1 + stringSize(gas) + stringSize(logsBloom) + listSize(logsSize)
  const writer = new RlpWriter((type === 0 ? 0 : 1) + listSize(size))
  if (type !== 0) writer.byte(type)
  writer.list(size)
  writer.string(status === 1 ? SUCCEEDED : FAILED)
  writer.string(gas)
  writer.string(logsBloom)
  writer.list(logsSize)
  for (const log of logs) writeLog(writer, log)
  return writer.bytes
}

/** Of the members of a log's list, in bytes. */
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
