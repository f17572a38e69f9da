import type { Hash } from '#primitives/hex.ts'
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
import {
  type BlockOutcomes,
  type BlockRecordBody,
  type BlockRecordHead,
  encodeBlock,
  readBlockBloom,
  readBlockBody,
  readBlockHash,
  readBlockHead,
  readBlockOutcomes,
  readTransactionHash,
} from './block-record.ts'

/** How many block heads stay cached after they were read. */
const HEADS = 128
/**
 * How many transactions, of some kilobytes each, stay cached with their blocks' bodies. An empty body counts as one.
 */
const TRANSACTIONS = 4_096

const heads = new GenerationalCache<StoredBlock, BlockRecordHead>(HEADS)
const bodies = new GenerationalCache<StoredBlock, BlockRecordBody>(
  TRANSACTIONS,
  ({ transactions }) => transactions.length + TRANSACTIONS / HEADS,
)

/** A sealed block kept as bytes and decoded on demand. Nearly all blocks of a chain are stored this way. */
export class StoredBlock implements SealedBlock {
  readonly #buffer: ArrayBufferLike
  readonly #start: number
  readonly #length: number
  readonly #state: (() => StateSnapshot) | undefined

  /**
   * @param record - The bytes of `encodeBlock`; must not change afterwards. May be part of a larger array.
   * @param state - Returns its state; left out if that is not kept.
   */
  constructor(record: Uint8Array, state?: () => StateSnapshot) {
    this.#buffer = record.buffer
    this.#start = record.byteOffset
    this.#length = record.length
    this.#state = state
  }

  get kind(): 'sealed' {
    return 'sealed'
  }

  get hash(): Hash {
    return readBlockHash(this.record)
  }

  /** The bytes of `encodeBlock`; may be a view of a larger array. */
  get record(): Uint8Array {
    return new Uint8Array(this.#buffer, this.#start, this.#length)
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
    return remembered(heads, this, readBlockHead)
  }

  #body(): BlockRecordBody {
    return remembered(bodies, this, readBlockBody)
  }
}

/** The hash of one of a block's transactions; decodes nothing else. */
export function transactionHashOf(block: SealedBlock, index: number): Hash {
  if (block instanceof StoredBlock) return readTransactionHash(block.record, index)
  const included = block.transactions[index]
  invariant(included, `block ${block.header.number} has no transaction ${index}`)
  return included.tx.hash
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

function remembered<Part>(
  cache: GenerationalCache<StoredBlock, Part>,
  block: StoredBlock,
  read: (record: Uint8Array) => Part,
): Part {
  let part = cache.get(block)
  if (part === undefined) {
    part = read(block.record)
    cache.set(block, part)
  }
  return part
}
