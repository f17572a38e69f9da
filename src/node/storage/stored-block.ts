import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import {
  type Header,
  type IncludedTransaction,
  type SealedBlock,
  type StateEdit,
  StatePrunedError,
} from '../payload/block.ts'
import { GenerationalCache } from '../state/generational-cache.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import {
  type BlockRecordBody,
  type BlockRecordHead,
  encodeBlock,
  readBlockBody,
  readBlockHead,
  readTransactionHash,
} from './block-record.ts'

/** Blocks whose parts are remembered after they were read. */
const DECODED = 128

const heads = new GenerationalCache<Uint8Array, BlockRecordHead>(DECODED)
const bodies = new GenerationalCache<Uint8Array, BlockRecordBody>(DECODED)

/** A sealed block that is kept as bytes and read when somebody asks. */
export class StoredBlock implements SealedBlock {
  readonly kind = 'sealed'
  readonly hash: Hash
  /** As `encodeBlock` makes it. */
  readonly record: Uint8Array
  readonly #state: (() => StateSnapshot) | undefined

  /**
   * @param record - Must not change afterwards.
   * @param state - Where its state comes from; left out where it is not kept.
   */
  constructor(hash: Hash, record: Uint8Array, state?: () => StateSnapshot) {
    this.hash = hash
    this.record = record
    this.#state = state
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

  /** Whether {@link state} can be asked for. */
  get keepsState(): boolean {
    return this.#state !== undefined
  }

  #head(): BlockRecordHead {
    return remembered(heads, this.record, readBlockHead)
  }

  #body(): BlockRecordBody {
    return remembered(bodies, this.record, readBlockBody)
  }
}

/** The hash of one of a block's transactions; reads no more than that. */
export function transactionHashOf(block: SealedBlock, index: number): Hash {
  if (block instanceof StoredBlock) return readTransactionHash(block.record, index)
  const included = block.transactions[index]
  invariant(included, `block ${block.header.number} has no transaction ${index}`)
  return included.tx.hash
}

/** A sealed block as bytes. */
export function recordOf(block: SealedBlock): Uint8Array {
  return block instanceof StoredBlock ? block.record : encodeBlock(block)
}

function remembered<Part>(
  cache: GenerationalCache<Uint8Array, Part>,
  record: Uint8Array,
  read: (record: Uint8Array) => Part,
): Part {
  let part = cache.get(record)
  if (part === undefined) {
    part = read(record)
    cache.set(record, part)
  }
  return part
}
