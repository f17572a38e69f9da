import { ByteReaderError } from '#primitives/byte-reader.ts'
import { bytesToHex, type Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import {
  type Block,
  type Header,
  type IncludedTransaction,
  type SealedBlock,
  type StateEdit,
  StatePrunedError,
} from '../payload/block.ts'
import { countByPartial } from '../payload/count-by-partial.ts'
import { GenerationalCache } from '../state/generational-cache.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { CHUNK, type PackedBlocks } from './block-list.ts'
import {
  BEGINNING,
  type BlockOutcomes,
  type BlockRecordBody,
  type BlockRecordHead,
  encodeBlock,
  HASH_BYTES,
  hashesAt,
  readBlockBloom,
  readBlockBody,
  readBlockHash,
  readBlockHead,
  readBlockOutcomes,
  readHeadOfParts,
  readIncludedAt,
} from './block-record.ts'
import type { PackedPlaces, StoredBytes } from './journal.ts'
import type { RecordPages } from './record-pages.ts'

/** How many block heads stay cached after they were read. */
const HEADS = 128
/**
 * How many transactions, of some kilobytes each, stay cached with their blocks' bodies. An empty body counts as one.
 */
const TRANSACTIONS = 4_096

/** Bytes of records that stay cached after they were read from a journal. */
const REREAD_BYTES = 4 * 1024 * 1024
/** Bytes that hold a head without the hashes of its transactions, unless its extra data is long. */
const HEAD_BYTES = 2_048

/** Transactions of a block that are decoded alone before all of them are, where they are asked for one after the other. */
const SINGLY = 3
/** The block that one transaction was asked of last. */
let asked: { readonly of: RecordSource; readonly times: number } | undefined

const reread = new GenerationalCache<RecordSource, Uint8Array>(REREAD_BYTES, ({ length }) => length)
const heads = new GenerationalCache<RecordSource, BlockRecordHead>(HEADS)
const bodies = new GenerationalCache<RecordSource, BlockRecordBody>(
  TRANSACTIONS,
  ({ transactions }) => transactions.length + TRANSACTIONS / HEADS,
)

/** The bytes of one block: in memory, or where to read them. */
class RecordSource {
  source: ArrayBufferLike | StoredBytes
  start = 0
  readonly length: number
  /** Kept of a shelved block with a state: contracts ask for hashes of the newest blocks, and must not depend on a disk. */
  hash: Hash | undefined

  constructor(record: Uint8Array | StoredBytes) {
    this.length = record.length
    this.source = record instanceof Uint8Array ? record.buffer : record
    if (record instanceof Uint8Array) this.start = record.byteOffset
  }

  get isShelved(): boolean {
    return 'read' in this.source
  }

  /** All of them; may be a view of a larger array. */
  get record(): Uint8Array {
    const { source } = this
    if (!('read' in source)) return new Uint8Array(source, this.start, this.length)
    return remembered(reread, this, () => source.read())
  }

  /** Some of them; reads no others. */
  part(start: number, end: number): Uint8Array {
    const { source } = this
    const read = 'read' in source ? reread.get(this) : this.record
    return read?.subarray(start, end) ?? (source as StoredBytes).read(start, Math.min(end, this.length))
  }
}

/**
 * A sealed block kept as bytes and decoded on demand. Nearly all blocks of a chain are stored this way; in a journal, most
 * of them are shelved: their bytes are in the journal only, and read from there whenever something of them is asked for.
 */
export class StoredBlock implements SealedBlock {
  /** Shared with the same block in the chain of a snapshot. */
  readonly #bytes: RecordSource
  readonly #state: (() => StateSnapshot) | undefined

  /**
   * @param record - The bytes of `encodeBlock`; must not change afterwards. May be part of a larger array.
   * @param state - Returns its state; left out if that is not kept.
   */
  constructor(record: Uint8Array | StoredBytes | RecordSource, state?: () => StateSnapshot) {
    this.#bytes = record instanceof RecordSource ? record : new RecordSource(record)
    this.#state = state
  }

  /** Reads its bytes from a journal from now on, which has the same. */
  shelve(place: StoredBytes, hash: Hash): void {
    this.#bytes.source = place
    this.#bytes.hash = this.keepsState ? hash : undefined
  }

  /** Moves its bytes into a shared array, if they are in memory. */
  pack(pages: RecordPages): void {
    const bytes = this.#bytes
    if (bytes.isShelved) return
    const { buffer, byteOffset } = pages.keep(this.ownRecord)
    bytes.source = buffer
    bytes.start = byteOffset
  }

  /** How many of its bytes are in memory. */
  get residentBytes(): number {
    return this.#bytes.isShelved ? 0 : this.#bytes.length
  }

  /** This block with another state, or without one. */
  withState(state?: () => StateSnapshot): StoredBlock {
    if (!state) this.#bytes.hash = undefined
    return new StoredBlock(this.#bytes, state)
  }

  get kind(): 'sealed' {
    return 'sealed'
  }

  get hash(): Hash {
    return this.#bytes.hash ?? readBlockHash(this.part(0, HASH_BYTES))
  }

  /** The bytes of `encodeBlock`; may be a view of a larger array. */
  get record(): Uint8Array {
    return this.#bytes.record
  }

  /** Where its bytes are in a journal, if that is all that there is of it. */
  get place(): StoredBytes | undefined {
    const { source } = this.#bytes
    return 'read' in source && !this.#state ? source : undefined
  }

  /** Some of the bytes of `encodeBlock`; reads no others. */
  part(start: number, end: number): Uint8Array {
    return this.#bytes.part(start, end)
  }

  /** The record's bytes, without the rest of a larger array. */
  get ownRecord(): Uint8Array {
    const { record } = this
    return record.length === record.buffer.byteLength ? record : record.slice()
  }

  get header(): Header {
    return this.#head().header
  }

  get size(): number {
    return this.#head().size
  }

  get transactions(): readonly IncludedTransaction[] {
    return this.#body().transactions
  }

  /** One of {@link transactions}; decodes no others. */
  includedAt(index: number): IncludedTransaction | undefined {
    const body = bodies.get(this.#bytes)
    if (body) return body.transactions[index]
    asked = { of: this.#bytes, times: asked?.of === this.#bytes ? asked.times + 1 : 1 }
    return asked.times > SINGLY ? this.transactions[index] : readIncludedAt(this.record, index)
  }

  get edits(): readonly StateEdit[] {
    return this.#body().edits
  }

  get state(): StateSnapshot {
    if (!this.#state) throw new StatePrunedError(this)
    return this.#state()
  }

  /** Whether {@link state} is available. */
  get keepsState(): boolean {
    return this.#state !== undefined
  }

  #head(): BlockRecordHead {
    return remembered(heads, this.#bytes, () => partialHead(this.#bytes) ?? readBlockHead(this.record))
  }

  #body(): BlockRecordBody {
    return remembered(bodies, this.#bytes, () => readBlockBody(this.record))
  }
}

/** Number of the next pack. */
let packs = 0
/** Blocks of packs that are asked for, so that what is decoded of them stays cached. */
const unpacked = new GenerationalCache<number, StoredBlock>(4 * HEADS)

/**
 * Blocks of a chunk that are all in a journal and have no state, without an object for each; `undefined` if they are not.
 *
 * @param pack - Packs their places, if there is still a journal.
 */
export function packBlocks(
  blocks: readonly SealedBlock[],
  pack: (places: readonly StoredBytes[]) => PackedPlaces | undefined,
): PackedBlocks | undefined {
  const places: StoredBytes[] = []
  for (const block of blocks) {
    const place = block instanceof StoredBlock ? block.place : undefined
    if (!place) return undefined
    places.push(place)
  }
  const placeAt = pack(places)
  if (!placeAt) return undefined
  const first = CHUNK * packs++
  return (index) => remembered(unpacked, first + index, () => new StoredBlock(placeAt(index)))
}

/** The head without reading the transactions; `undefined` if that is not worthwhile, or the head is long. */
function partialHead(bytes: RecordSource): BlockRecordHead | undefined {
  if (!bytes.isShelved || bytes.length < 2 * HEAD_BYTES) return undefined
  const beginning = bytes.part(0, BEGINNING)
  const { end } = hashesAt(beginning)
  try {
    return readHeadOfParts(beginning, bytes.part(end, end + HEAD_BYTES))
  } catch (error) {
    if (error instanceof ByteReaderError) return undefined
    throw error
  }
}

/** The hash of one of a block's transactions; decodes nothing else. */
export function transactionHashOf(block: SealedBlock, index: number): Hash {
  if (block instanceof StoredBlock) {
    const { start } = hashesAt(block.part(0, BEGINNING))
    return bytesToHex(block.part(start + HASH_BYTES * index, start + HASH_BYTES * (index + 1)))
  }
  const included = block.transactions[index]
  invariant(included, `block ${block.header.number} has no transaction ${index}`)
  return included.tx.hash
}

/** One of a block's transactions; of a stored block it decodes no others, unless they were decoded before. */
export function includedAt(block: Block, index: number): IncludedTransaction | undefined {
  return block instanceof StoredBlock ? block.includedAt(index) : block.transactions[index]
}

/** The hashes of a block's transactions; decodes nothing else. */
export function transactionHashesOf(block: Block): Hash[] {
  if (!(block instanceof StoredBlock)) return block.transactions.map(({ tx }) => tx.hash)
  const { start, end } = hashesAt(block.part(0, BEGINNING))
  const bytes = block.part(start, end)
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, i) =>
    bytesToHex(bytes.subarray(HASH_BYTES * i, HASH_BYTES * (i + 1))),
  )
}

/** How many transactions a block has; decodes nothing else. */
export function transactionCountOf(block: Block): number {
  if (!(block instanceof StoredBlock)) return block.transactions.length
  const { start, end } = hashesAt(block.part(0, BEGINNING))
  return (end - start) / HASH_BYTES
}

/** What a list shows of a block's transactions; does not decode those of a stored block. */
export function outcomesOf(block: Block): BlockOutcomes {
  if (block instanceof StoredBlock) return readBlockOutcomes(block.record)
  const { transactions } = block
  return {
    failed: transactions.filter(({ receipt }) => receipt.status === 0).length,
    transactionsByPartial:
      transactions.length === 0 ? [] : countByPartial({ index: transactions.at(-1)?.partialIndex ?? 0, transactions }),
  }
}

/** The bloom of a block's logs, of which it may have none; decodes nothing else. */
export function bloomOf(block: Block): Uint8Array {
  return block instanceof StoredBlock ? readBlockBloom(block.record) : block.header.logsBloom
}

/** Places at which a block's bytes are compared; whoever writes a block can make every byte of it such a place. */
const MAX_COMPARED = 65_536

/**
 * Whether a block may hold these bytes, such as an address or a topic; `false` only if a stored block surely does not. Far
 * faster than decoding its transactions.
 */
export function mayHold(block: Block, bytes: Uint8Array): boolean {
  return !(block instanceof StoredBlock) || holds(block.record, bytes)
}

function holds(record: Uint8Array, bytes: Uint8Array): boolean {
  const [first] = bytes
  if (first === undefined) return true
  // The rarest byte is not known; zeros are certainly not rare.
  const anchor = Math.max(
    0,
    bytes.findIndex((byte) => byte !== 0),
  )
  const wanted = bytes[anchor] as number
  let compared = 0
  for (let at = record.indexOf(wanted, anchor); at !== -1; at = record.indexOf(wanted, at + 1)) {
    if (compared++ === MAX_COMPARED) return true
    const start = at - anchor
    if (start + bytes.length > record.length) return false
    let i = 0
    while (i < bytes.length && record[start + i] === bytes[i]) i++
    if (i === bytes.length) return true
  }
  return false
}

/** Records of blocks that are still objects: what the journal has written is what they become. */
const records = new WeakMap<SealedBlock, Uint8Array>()

/** A sealed block as bytes in a separate array; they must not change. */
export function recordOf(block: SealedBlock): Uint8Array {
  if (block instanceof StoredBlock) return block.record.slice()
  let record = records.get(block)
  if (!record) {
    record = encodeBlock(block)
    records.set(block, record)
  }
  return record
}

function remembered<Key, Part>(cache: GenerationalCache<Key, Part>, of: Key, read: () => Part): Part {
  let part = cache.get(of)
  if (part === undefined) {
    part = read()
    cache.set(of, part)
  }
  return part
}
