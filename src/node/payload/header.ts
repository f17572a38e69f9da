import { RLP } from '@ethereumjs/rlp'
import { bigIntToBytes, EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Hash, hexToBytes } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { EMPTY_TRIE_ROOT } from '../state/state-snapshot.ts'
import { listSize, stringSize } from '../tx/rlp-writer.ts'
import type { Header } from './block.ts'

/** keccak256 of the RLP of an empty list: this chain has no uncles. */
export const EMPTY_UNCLES_HASH: Hash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** sha256 of nothing: this chain has no execution requests (EIP-7685). */
export const EMPTY_REQUESTS_HASH: Hash = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** This chain has no withdrawals (EIP-4895). */
export const EMPTY_WITHDRAWALS_ROOT: Hash = EMPTY_TRIE_ROOT

const ZERO_NONCE = new Uint8Array(8)

/** RLP of a header, its 21 fields in the order of Prague and Osaka. */
export function encodeHeader(header: Header): Uint8Array {
  return RLP.encode([
    hexToBytes(header.parentHash),
    hexToBytes(EMPTY_UNCLES_HASH),
    hexToBytes(header.coinbase),
    hexToBytes(header.stateRoot),
    hexToBytes(header.transactionsRoot),
    hexToBytes(header.receiptsRoot),
    header.logsBloom,
    EMPTY_BYTES,
    bigIntToBytes(BigInt(header.number)),
    bigIntToBytes(header.gasLimit),
    bigIntToBytes(header.gasUsed),
    bigIntToBytes(BigInt(header.timestamp)),
    header.extraData,
    hexToBytes(header.mixHash),
    ZERO_NONCE,
    bigIntToBytes(header.baseFeePerGas),
    hexToBytes(EMPTY_WITHDRAWALS_ROOT),
    EMPTY_BYTES,
    EMPTY_BYTES,
    hexToBytes(header.parentBeaconBlockRoot),
    hexToBytes(EMPTY_REQUESTS_HASH),
  ])
}

/** keccak256 of the header's RLP: the block's hash. */
export function hashHeader(header: Header): Hash {
  return keccak256Hex(encodeHeader(header))
}

/** Bytes of a transaction in a block's body: legacy ones as they are, typed ones wrapped in an RLP string. */
export function bodyLength(raw: Uint8Array): number {
  return (raw[0] as number) >= 0xc0 ? raw.length : stringSize(raw)
}

/**
 * Bytes of a block's RLP: header, transactions, no uncles, no withdrawals.
 *
 * @param transactionBytes - Sum of {@link bodyLength} over the transactions.
 */
export function blockSize(header: Header, transactionBytes: number): number {
  return listSize(encodeHeader(header).length + listSize(transactionBytes) + 2)
}
