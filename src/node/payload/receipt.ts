import { RLP } from '@ethereumjs/rlp'
import { bigIntToBytes, concatBytes, EMPTY_BYTES } from '#primitives/bytes.ts'
import { hexToBytes } from '#primitives/hex.ts'
import type { Receipt } from './block.ts'

/** A receipt as the receipts trie holds it: EIP-2718 envelope, or plain RLP for a legacy transaction. */
export function encodeReceipt({ type, status, cumulativeGasUsed, logsBloom, logs }: Receipt): Uint8Array {
  const payload = RLP.encode([
    status === 1 ? Uint8Array.of(1) : EMPTY_BYTES,
    bigIntToBytes(cumulativeGasUsed),
    logsBloom,
    logs.map(({ address, topics, data }) => [hexToBytes(address), topics.map(hexToBytes), data]),
  ])
  return type === 0 ? payload : concatBytes(Uint8Array.of(type), payload)
}
