import { RLP } from '@ethereumjs/rlp'
import { concatBytes, EMPTY_BYTES } from '#primitives/bytes.ts'
import { hexToBytes } from '#primitives/hex.ts'
import { encodeInteger, listHeader } from '../tx/signing-digest.ts'
import type { Receipt } from './block.ts'

const SUCCEEDED = Uint8Array.of(1)
const FAILED = Uint8Array.of(0x80)
/** Of a string of 256 bytes. */
const BLOOM_HEADER = Uint8Array.of(0xb9, 1, 0)
const NO_LOGS = Uint8Array.of(0xc0)

/** A receipt as the receipts trie holds it: EIP-2718 envelope, or plain RLP for a legacy transaction. */
export function encodeReceipt({ type, status, cumulativeGasUsed, logsBloom, logs }: Receipt): Uint8Array {
  const gas = encodeInteger(cumulativeGasUsed)
  const encodedLogs =
    logs.length === 0
      ? NO_LOGS
      : RLP.encode(logs.map(({ address, topics, data }) => [hexToBytes(address), topics.map(hexToBytes), data]))
  return concatBytes(
    type === 0 ? EMPTY_BYTES : Uint8Array.of(type),
    listHeader(1 + gas.length + BLOOM_HEADER.length + logsBloom.length + encodedLogs.length),
    status === 1 ? SUCCEEDED : FAILED,
    gas,
    BLOOM_HEADER,
    logsBloom,
    encodedLogs,
  )
}
