// Longer than most: who writes a record and all who read parts of it agree byte by byte.
import { ByteReader } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { EMPTY_BYTES } from '#primitives/bytes.ts'
import { bytesToHex, type Hash } from '#primitives/hex.ts'
import { EMPTY_BLOOM } from '../evm/bloom.ts'
import { createdAddress } from '../evm/contract-address.ts'
import type { L1Charge } from '../evm/rollup.ts'
import type { Header, IncludedTransaction, Log, Receipt, SealedBlock, StateEdit } from '../payload/block.ts'
import { readDifference, writeDifference } from '../state/state-record.ts'
import { decodeAccepted } from '../tx/decode.ts'
import { effectiveGasPrice } from '../tx/transaction.ts'

/** Length of a hash. */
export const HASH_BYTES = 32

const ADDRESS_BYTES = 20

/** Added to the status of a transaction whose payment for L1 follows its logs. */
const PAYS_FOR_L1 = 2

/** In the order in which they are written. */
const L1_FIELDS = [
  'fee',
  'gasUsed',
  'baseFee',
  'blobBaseFee',
  'baseFeeScalar',
  'blobBaseFeeScalar',
  'operatorFeeScalar',
  'operatorFeeConstant',
] as const satisfies readonly (keyof L1Charge)[]

/** The fields needed to look up a stored block; they come first. */
export interface BlockRecordStart {
  readonly hash: Hash
  readonly parentHash: Hash
  readonly number: number
  /** Hashes of its transactions, one after the other: a view of the record. */
  readonly transactionHashes: Uint8Array
}

/** A stored block without its transactions. */
export interface BlockRecordHead {
  readonly header: Header
  /** Size of the block's RLP in bytes. */
  readonly size: number
}

/** A stored block's transactions and edits. */
export type BlockRecordBody = Pick<SealedBlock, 'transactions' | 'edits'>

/** Encodes a sealed block compactly: fields that can be computed are left out. Without its state. */
export function encodeBlock(block: SealedBlock): Uint8Array {
  const { header, transactions } = block
  const writer = new ByteWriter().hex(block.hash).hex(header.parentHash).uint(header.number)
  writer.list(transactions, ({ tx }) => writer.hex(tx.hash))
  writer.hex(header.coinbase).hex(header.stateRoot).hex(header.transactionsRoot).hex(header.receiptsRoot)
  writer.bigint(header.gasLimit).bigint(header.gasUsed).uint(header.timestamp).bytes(header.extraData)
  writer.hex(header.mixHash).bigint(header.baseFeePerGas).hex(header.parentBeaconBlockRoot).uint(block.size)
  const hasLogs = transactions.some(({ receipt }) => receipt.logs.length > 0)
  writer.bytes(hasLogs ? header.logsBloom : EMPTY_BYTES)
  writer.list(transactions, ({ tx, receipt, partialIndex }) => {
    writer.bytes(tx.raw).hex(tx.sender).uint(partialIndex)
    writer.uint(receipt.status + (receipt.l1 ? PAYS_FOR_L1 : 0)).bigint(receipt.gasUsed)
    writer.list(receipt.logs, (log) => writeLog(writer, log))
    if (receipt.l1) for (const name of L1_FIELDS) writer.bigint(receipt.l1[name])
  })
  writer.list(block.edits, ({ position, partialIndex, difference }) => {
    writeDifference(writer.uint(position).uint(partialIndex), difference)
  })
  return writer.finish()
}

function writeLog(writer: ByteWriter, { address, topics, data }: Log): void {
  writer.hex(address)
  writer.list(topics, (topic) => writer.hex(topic))
  writer.bytes(data)
}

/** @throws {ByteReaderError} If these are not the bytes of {@link encodeBlock}. */
export function readBlockStart(record: Uint8Array): BlockRecordStart {
  return readStart(new ByteReader(record))
}

function readStart(reader: ByteReader): BlockRecordStart {
  return {
    hash: reader.hex(32),
    parentHash: reader.hex(32),
    number: reader.uint(),
    transactionHashes: reader.fixed(HASH_BYTES * reader.uint()),
  }
}

/** @throws {ByteReaderError} If these are not the bytes of {@link encodeBlock}. */
export function readBlockHead(record: Uint8Array): BlockRecordHead {
  return readHead(new ByteReader(record))
}

function readHead(reader: ByteReader): BlockRecordHead {
  const start = skipHashes(reader)
  return readFields(reader, start)
}

/** Bytes with which a record begins: those that {@link hashesAt} reads. */
export const BEGINNING = 2 * HASH_BYTES + 20

/**
 * Where a record has the hashes of its transactions, and what follows them.
 *
 * @param beginning - Its first {@link BEGINNING} bytes, or all.
 * @throws {ByteReaderError} If these are not bytes of {@link encodeBlock}.
 */
export function hashesAt(beginning: Uint8Array): { readonly start: number; readonly end: number } {
  const reader = new ByteReader(beginning)
  reader.skip(2 * HASH_BYTES)
  reader.uint()
  const count = reader.uint()
  return { start: reader.position, end: reader.position + HASH_BYTES * count }
}

/**
 * Like {@link readBlockHead}, for a record of which only parts are at hand.
 *
 * @param beginning - Its first {@link BEGINNING} bytes.
 * @param rest - What follows the hashes of its transactions, at least up to its bloom.
 * @throws {ByteReaderError} If these are not bytes of {@link encodeBlock}, or too few.
 */
export function readHeadOfParts(beginning: Uint8Array, rest: Uint8Array): BlockRecordHead {
  const reader = new ByteReader(beginning)
  reader.skip(HASH_BYTES)
  return readFields(new ByteReader(rest), { parentHash: reader.hex(32), number: reader.uint() })
}

function readFields(
  reader: ByteReader,
  { parentHash, number }: Pick<Header, 'parentHash' | 'number'>,
): BlockRecordHead {
  const fields = {
    parentHash,
    number,
    coinbase: reader.hex(20),
    stateRoot: reader.hex(32),
    transactionsRoot: reader.hex(32),
    receiptsRoot: reader.hex(32),
    gasLimit: reader.bigint(),
    gasUsed: reader.bigint(),
    timestamp: reader.uint(),
    // A view would keep the whole record in memory for as long as the head.
    extraData: reader.bytes().slice(),
    mixHash: reader.hex(32),
    baseFeePerGas: reader.bigint(),
    parentBeaconBlockRoot: reader.hex(32),
  }
  const size = reader.uint()
  const bloom = reader.bytes()
  return { header: { ...fields, logsBloom: bloom.length === 0 ? EMPTY_BLOOM : bloom.slice() }, size }
}

/** @throws {ByteReaderError} If these are not the bytes of {@link encodeBlock}. */
export function readBlockHash(record: Uint8Array): Hash {
  return new ByteReader(record).hex(32)
}

/**
 * The hash of the transaction at an index that the block has.
 *
 * @throws {ByteReaderError} If these are not the bytes of {@link encodeBlock}.
 */
function readTransactionHash(record: Uint8Array, index: number): Hash {
  const reader = new ByteReader(record)
  reader.fixed(64)
  reader.uint()
  reader.uint()
  reader.fixed(32 * index)
  return reader.hex(32)
}

/**
 * The bloom of the block's logs; empty if there are none. A view of the record.
 *
 * @throws {ByteReaderError} If these are not the bytes of {@link encodeBlock}.
 */
export function readBlockBloom(record: Uint8Array): Uint8Array {
  return readBloom(new ByteReader(record))
}

/** Passes over everything before the transactions but the bloom. */
function readBloom(reader: ByteReader): Uint8Array {
  reader.skip(2 * HASH_BYTES)
  reader.uint()
  reader.skip(HASH_BYTES * reader.uint())
  reader.skip(ADDRESS_BYTES + 3 * HASH_BYTES)
  // Gas limit and gas used.
  reader.skipBytes()
  reader.skipBytes()
  // Timestamp, extra data, mix hash and base fee.
  reader.uint()
  reader.skipBytes()
  reader.skip(HASH_BYTES)
  reader.skipBytes()
  reader.skip(HASH_BYTES)
  // Size.
  reader.uint()
  return reader.bytes()
}

/** Like {@link readStart}, but does not turn every hash into text. */
function skipHashes(reader: ByteReader): { readonly parentHash: Hash; readonly number: number } {
  reader.fixed(32)
  const parentHash = reader.hex(32)
  const number = reader.uint()
  reader.fixed(32 * reader.uint())
  return { parentHash, number }
}

/** What a list shows of a block's transactions. */
export interface BlockOutcomes {
  /** How many failed. */
  readonly failed: number
  /** How many each partial block added, from index 0 to the last one that added any. */
  readonly transactionsByPartial: readonly number[]
}

/**
 * Reads the outcomes alone, without decoding a transaction.
 *
 * @throws {ByteReaderError} If these are not the bytes of {@link encodeBlock}.
 */
export function readBlockOutcomes(record: Uint8Array): BlockOutcomes {
  const reader = new ByteReader(record)
  readBloom(reader)
  const transactionsByPartial: number[] = []
  let failed = 0
  const count = reader.uint()
  for (let i = 0; i < count; i++) {
    reader.skipBytes()
    reader.skip(ADDRESS_BYTES)
    const partialIndex = reader.uint()
    while (transactionsByPartial.length <= partialIndex) transactionsByPartial.push(0)
    transactionsByPartial[partialIndex] = (transactionsByPartial[partialIndex] ?? 0) + 1
    const status = reader.uint()
    if (status % PAYS_FOR_L1 === 0) failed++
    reader.skipBytes()
    skipLogs(reader)
    if (status >= PAYS_FOR_L1) skipL1(reader)
  }
  return { failed, transactionsByPartial }
}

/** Which logs to read, as bytes. */
export interface LogBytesFilter {
  readonly address: (record: Uint8Array, at: number) => boolean
  /** For each position that a log must have. */
  readonly topics: readonly ((record: Uint8Array, at: number) => boolean)[]
}

/** A log of a block, with its place. */
export interface PlacedBlockLog {
  readonly log: Log
  readonly transactionHash: Hash
  readonly transactionIndex: number
  /** Among all logs of the block. */
  readonly logIndex: number
}

/**
 * The logs of a block that a filter selects, those of each transaction at a time, so that a caller can pause: a block can
 * have a million. Decodes nothing else.
 *
 * @throws {ByteReaderError} If these are not the bytes of {@link encodeBlock}.
 */
export function* readBlockLogs(record: Uint8Array, wanted: LogBytesFilter): Generator<readonly PlacedBlockLog[]> {
  const reader = new ByteReader(record)
  readBloom(reader)
  const count = reader.uint()
  let logIndex = 0
  for (let transactionIndex = 0; transactionIndex < count; transactionIndex++) {
    reader.skipBytes()
    reader.skip(ADDRESS_BYTES)
    // Partial index, status and gas used.
    reader.uint()
    const status = reader.uint()
    reader.skipBytes()
    const found: PlacedBlockLog[] = []
    let transactionHash: Hash | undefined
    for (const end = logIndex + reader.uint(); logIndex < end; logIndex++) {
      const log = readSelectedLog(reader, record, wanted)
      if (!log) continue
      transactionHash ??= readTransactionHash(record, transactionIndex)
      found.push({ log, transactionHash, transactionIndex, logIndex })
    }
    if (status >= PAYS_FOR_L1) skipL1(reader)
    yield found
  }
}

function readSelectedLog(reader: ByteReader, record: Uint8Array, { address, topics }: LogBytesFilter): Log | undefined {
  const start = reader.position
  reader.skip(ADDRESS_BYTES)
  const count = reader.uint()
  const topicsAt = reader.position
  reader.skip(HASH_BYTES * count)
  const data = reader.bytes()
  if (count < topics.length || !address(record, start)) return undefined
  for (const [i, topic] of topics.entries()) if (!topic(record, topicsAt + HASH_BYTES * i)) return undefined
  return {
    address: bytesToHex(record.subarray(start, start + ADDRESS_BYTES)),
    topics: Array.from({ length: count }, (_, i) =>
      bytesToHex(record.subarray(topicsAt + HASH_BYTES * i, topicsAt + HASH_BYTES * (i + 1))),
    ),
    data,
  }
}

/** @throws {ByteReaderError | TxRejectedError} If these are not the bytes of {@link encodeBlock}. */
export function readBlockBody(record: Uint8Array): BlockRecordBody {
  const reader = new ByteReader(record)
  const { header } = readHead(reader)
  const before = { gasUsed: 0n, logs: 0 }
  const count = reader.uint()
  const transactions: IncludedTransaction[] = []
  for (let index = 0; index < count; index++) transactions.push(readIncluded(reader, header, index, before))
  const edits = reader.list(
    (): StateEdit => ({ position: reader.uint(), partialIndex: reader.uint(), difference: readDifference(reader) }),
  )
  reader.finish()
  return { transactions, edits }
}

/**
 * One of a block's transactions, without decoding the others; `undefined` if it has fewer.
 *
 * @throws {ByteReaderError | TxRejectedError} If these are not the bytes of {@link encodeBlock}.
 */
export function readIncludedAt(record: Uint8Array, index: number): IncludedTransaction | undefined {
  const reader = new ByteReader(record)
  const { header } = readHead(reader)
  if (index >= reader.uint()) return undefined
  const before = { gasUsed: 0n, logs: 0 }
  for (let passed = 0; passed < index; passed++) {
    reader.skipBytes()
    reader.skip(ADDRESS_BYTES)
    // Partial index.
    reader.uint()
    const status = reader.uint()
    before.gasUsed += reader.bigint()
    before.logs += skipLogs(reader)
    if (status >= PAYS_FOR_L1) skipL1(reader)
  }
  return readIncluded(reader, header, index, before)
}

/** @param before - Gas and logs of the transactions before it; its own are added. */
function readIncluded(
  reader: ByteReader,
  header: Header,
  transactionIndex: number,
  before: { gasUsed: bigint; logs: number },
): IncludedTransaction {
  const tx = decodeAccepted(reader.bytes(), reader.hex(20))
  const partialIndex = reader.uint()
  const status = reader.uint()
  const gasUsed = reader.bigint()
  const logs = reader.list(() => readLog(reader))
  const l1 = status >= PAYS_FOR_L1 ? readL1(reader) : undefined
  before.gasUsed += gasUsed
  const receipt: Receipt = {
    type: tx.type,
    status: status % PAYS_FOR_L1 === 1 ? 1 : 0,
    gasUsed,
    cumulativeGasUsed: before.gasUsed,
    logs,
    contractAddress: tx.to === null ? createdAddress(tx.sender, tx.nonce) : null,
    effectiveGasPrice: effectiveGasPrice(tx, header.baseFeePerGas),
    l1,
  }
  const firstLogIndex = before.logs
  before.logs += logs.length
  return { tx, receipt, transactionIndex, partialIndex, firstLogIndex }
}

/** Returns how many there were. */
function skipLogs(reader: ByteReader): number {
  const count = reader.uint()
  for (let left = count; left > 0; left--) {
    reader.skip(ADDRESS_BYTES)
    reader.skip(HASH_BYTES * reader.uint())
    reader.skipBytes()
  }
  return count
}

function readL1(reader: ByteReader): L1Charge {
  const values = Object.fromEntries(L1_FIELDS.map((name) => [name, reader.bigint()]))
  return values as Record<(typeof L1_FIELDS)[number], bigint>
}

function skipL1(reader: ByteReader): void {
  for (let left = L1_FIELDS.length; left > 0; left--) reader.skipBytes()
}

function readLog(reader: ByteReader): Log {
  return { address: reader.hex(20), topics: reader.list(() => reader.hex(32)), data: reader.bytes() }
}
