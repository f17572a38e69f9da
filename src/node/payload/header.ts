import { bigIntToBytes, EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Hash, hexToBytes } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { EMPTY_TRIE_ROOT } from '../state/state-snapshot.ts'
import { listSize, RlpWriter, stringSize } from '../tx/rlp-writer.ts'
import type { Header } from './block.ts'

/** keccak256 of the RLP of an empty list: this chain has no uncles. */
export const EMPTY_UNCLES_HASH: Hash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** sha256 of nothing: this chain has no execution requests (EIP-7685). */
export const EMPTY_REQUESTS_HASH: Hash = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** This chain has no withdrawals (EIP-4895). */
export const EMPTY_WITHDRAWALS_ROOT: Hash = EMPTY_TRIE_ROOT

const UNCLES_HASH = hexToBytes(EMPTY_UNCLES_HASH)
const REQUESTS_HASH = hexToBytes(EMPTY_REQUESTS_HASH)
const WITHDRAWALS_ROOT = hexToBytes(EMPTY_WITHDRAWALS_ROOT)
const ZERO_NONCE = new Uint8Array(8)

/** Bytes of what has the same length in every header: nine hashes, the coinbase, the bloom, the nonce, and three zeros. */
const FIXED_SIZE = 9 * 33 + 21 + 259 + 9 + 3

/** Scratch space for the RLP of a header, one at a time. */
let scratch = new Uint8Array(1_024)

/** RLP of a header, its 21 fields in the order of Prague and Osaka. */
export function encodeHeader(header: Header): Uint8Array {
  return headerView(header).slice()
}

/** Like {@link encodeHeader}, but as a view that the next call overwrites. */
function headerView(header: Header): Uint8Array {
  const integers = integersOf(header)
  const [number, gasLimit, gasUsed, timestamp, baseFeePerGas] = integers
  const size = membersSize(header, integers)
  const total = listSize(size)
  if (scratch.length < total) scratch = new Uint8Array(2 * total)
  const writer = new RlpWriter(scratch)
  writer.list(size)
  writer.hex(header.parentHash)
  writer.string(UNCLES_HASH)
  writer.hex(header.coinbase)
  writer.hex(header.stateRoot)
  writer.hex(header.transactionsRoot)
  writer.hex(header.receiptsRoot)
  writer.string(header.logsBloom)
  writer.string(EMPTY_BYTES)
  writer.string(number)
  writer.string(gasLimit)
  writer.string(gasUsed)
  writer.string(timestamp)
  writer.string(header.extraData)
  writer.hex(header.mixHash)
  writer.string(ZERO_NONCE)
  writer.string(baseFeePerGas)
  writer.string(WITHDRAWALS_ROOT)
  writer.string(EMPTY_BYTES)
  writer.string(EMPTY_BYTES)
  writer.hex(header.parentBeaconBlockRoot)
  writer.string(REQUESTS_HASH)
  return scratch.subarray(0, total)
}

/** The integers of a header, those that are always 0 left out. */
function integersOf({ number, gasLimit, gasUsed, timestamp, baseFeePerGas }: Header) {
  return [
    bigIntToBytes(BigInt(number)),
    bigIntToBytes(gasLimit),
    bigIntToBytes(gasUsed),
    bigIntToBytes(BigInt(timestamp)),
    bigIntToBytes(baseFeePerGas),
  ] as const
}

/** Bytes of the members of a header's list. */
function membersSize({ extraData }: Header, integers: readonly Uint8Array[]): number {
  let size = FIXED_SIZE + stringSize(extraData)
  for (const integer of integers) size += stringSize(integer)
  return size
}

/** keccak256 of the header's RLP: the block's hash. */
export function hashHeader(header: Header): Hash {
  return keccak256Hex(headerView(header))
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
  return listSize(listSize(membersSize(header, integersOf(header))) + listSize(transactionBytes) + 2)
}
