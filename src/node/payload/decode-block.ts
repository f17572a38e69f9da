import { bytesToBigInt, equalBytes } from '#primitives/bytes.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { RlpError, RlpReader } from '../tx/rlp-reader.ts'
import type { Header } from './block.ts'
import { encodeHeader } from './header.ts'

/** A block as its RLP has it. */
export interface DecodedBlock {
  readonly header: Header
  /** Bytes of each transaction, as it is submitted. */
  readonly transactions: readonly Uint8Array[]
}

/** Members of a block: header, transactions, uncles, withdrawals. */
const MEMBERS = 4
const FIRST_LIST = 0xc0
/** Bytes below this are an item by themselves. */
const FIRST_STRING = 0x80
/** A list without items. */
const EMPTY_LIST = 0xc0

/**
 * Decodes a block of this kind of chain: a header of Prague or Osaka, without blobs, uncles, withdrawals and requests.
 *
 * @throws {RlpError} If it is none.
 */
export function decodeBlock(bytes: Uint8Array): DecodedBlock {
  const [header, transactions, uncles, withdrawals, ...others] = itemsOf(onlyItem(bytes))
  if (!header || !transactions || !uncles || !withdrawals || others.length > 0) {
    throw new RlpError(`a block has ${MEMBERS} members`)
  }
  for (const list of [uncles, withdrawals]) {
    if (list.length !== 1 || list[0] !== EMPTY_LIST) throw new RlpError('this chain has no uncles and no withdrawals')
  }
  return {
    header: decodeHeader(header),
    transactions: itemsOf(transactions).map((item) => (isList(item) ? item : payloadOf(item))),
  }
}

function decodeHeader(bytes: Uint8Array): Header {
  const reader = new RlpReader(bytes, 0)
  const header = reader.struct('types.Header', (): Header => {
    const hash = (name: string) => bytesToHex(reader.fixed('common.Hash', 32, name))
    const integer = (name: string) => reader.integer('uint64', 8, name)
    const parentHash = hash('.ParentHash')
    hash('.UncleHash')
    const coinbase = bytesToHex(reader.fixed('common.Address', 20, '.Coinbase'))
    const [stateRoot, transactionsRoot, receiptsRoot] = [hash('.Root'), hash('.TxHash'), hash('.ReceiptHash')]
    const logsBloom = reader.fixed('types.Bloom', 256, '.Bloom')
    integer('.Difficulty')
    const number = Number(integer('.Number'))
    if (!Number.isSafeInteger(number)) throw new RlpError('no chain has so many blocks', '.Number')
    const [gasLimit, gasUsed] = [integer('.GasLimit'), integer('.GasUsed')]
    const timestamp = Number(integer('.Time'))
    if (!Number.isSafeInteger(timestamp)) throw new RlpError('no block is made so late', '.Time')
    const extraData = reader.bytes('.Extra')
    const mixHash = hash('.MixDigest')
    reader.fixed('types.BlockNonce', 8, '.Nonce')
    const baseFeePerGas = reader.integer('*big.Int', 32, '.BaseFee')
    hash('.WithdrawalsHash')
    integer('.BlobGasUsed')
    integer('.ExcessBlobGas')
    const parentBeaconBlockRoot = hash('.ParentBeaconRoot')
    hash('.RequestsHash')
    return {
      parentHash,
      coinbase,
      stateRoot,
      transactionsRoot,
      receiptsRoot,
      logsBloom,
      number,
      gasLimit,
      gasUsed,
      timestamp,
      extraData,
      mixHash,
      baseFeePerGas,
      parentBeaconBlockRoot,
    }
  })
  // The members that every header of this chain has alike, and numbers beyond what a number can be.
  if (!equalBytes(encodeHeader(header), bytes))
    throw new RlpError('it has a header that no block of this chain can have')
  return header
}

/** The only item of the bytes. */
function onlyItem(bytes: Uint8Array): Uint8Array {
  const end = endOf(bytes, 0)
  if (end !== bytes.length) throw new RlpError('input contains more than one value')
  return bytes
}

/** The items of a list, with their own prefixes: one level is read, however deep the lists are nested. */
function itemsOf(list: Uint8Array): readonly Uint8Array[] {
  if (!isList(list)) throw new RlpError('expected input list')
  const payload = payloadOf(list)
  const items: Uint8Array[] = []
  for (let at = 0; at < payload.length; ) {
    const end = endOf(payload, at)
    items.push(payload.subarray(at, end))
    at = end
  }
  return items
}

const isList = (item: Uint8Array) => (item[0] ?? 0) >= FIRST_LIST

function payloadOf(item: Uint8Array): Uint8Array {
  return item.subarray(startOf(item, 0))
}

/** Where the payload of the item begins. */
function startOf(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  return first < FIRST_STRING ? at : at + 1 + lengthBytes(first)
}

/** How many bytes spell the length of a payload; 0 for a short one. */
function lengthBytes(first: number): number {
  const short = first - (first >= FIRST_LIST ? FIRST_LIST : FIRST_STRING)
  return Math.max(0, short - 55)
}

/** @throws {RlpError} If the item is longer than the bytes. */
function endOf(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === undefined) throw new RlpError('value size exceeds available input length')
  if (first < FIRST_STRING) return at + 1
  const start = startOf(bytes, at)
  if (start > bytes.length) throw new RlpError('value size exceeds available input length')
  const size =
    lengthBytes(first) === 0
      ? first - (first >= FIRST_LIST ? FIRST_LIST : FIRST_STRING)
      : Number(bytesToBigInt(bytes, at + 1, start))
  if (size > bytes.length - start) throw new RlpError('value size exceeds available input length')
  return start + size
}
