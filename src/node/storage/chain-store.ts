import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { isEmptyBloom } from '../evm/bloom.ts'
import type { Block, IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { Transaction } from '../tx/transaction.ts'
import { BlockList, type BlockSequence, CHUNK } from './block-list.ts'
import type { ChainReader } from './chain-reader.ts'
import { HashIndex } from './hash-index.ts'
import type { PackedPlaces, StoredBytes } from './journal.ts'
import { type BloomQuery, LogIndex } from './log-index.ts'
import { NumberList } from './number-list.ts'
import { RecordPages } from './record-pages.ts'
import { bloomOf, includedAt, packBlocks, recordOf, StoredBlock, transactionHashOf } from './stored-block.ts'

/**
 * How many of the newest blocks keep their states, besides block 0. Everything else about older blocks stays readable.
 */
export const STATES_KEPT = 256
/**
 * How many of the newest blocks are kept as objects. Older ones are kept as bytes, which take a fraction of the memory.
 */
const PARSED_KEPT = 4
/** How many blocks are shelved at a time, so that nothing waits for long. */
const SHELVED_AT_ONCE = 64

/** Has the bytes of old blocks. */
export interface BlockShelf {
  /**
   * Where to read the bytes of a block from now on; `undefined` if the journal does not have it yet, `stays` if it never
   * will.
   */
  shelve(block: {
    readonly number: number
    readonly hash: Hash
    readonly record: Uint8Array
  }): StoredBytes | 'stays' | undefined
  /** Many such places in one object; `undefined` if the journal is not this chain's any more. */
  pack(places: readonly StoredBytes[]): PackedPlaces | undefined
}

/** How much memory the bytes of blocks take, and may take where they can be read from a journal. */
export interface BlockMemory {
  readonly usedBytes: number
  /** `undefined` if all blocks stay in memory. */
  readonly budgetBytes: number | undefined
}

/** A block of an earlier run. */
export interface RestoredBlock {
  /** Without its state. */
  readonly block: StoredBlock
  readonly hash: Hash
  readonly number: number
  /** What the index needs of the hashes of its transactions (`tagsOf`). */
  readonly tags: Uint32Array
  /** The bloom of its logs; empty if it has none. */
  readonly bloom: Uint8Array
}

/** Sealed blocks and the live one, with the indices for look-ups. */
export class ChainStore implements ChainReader {
  /** From the first block on: block 0, or that at which another chain was forked. */
  readonly #sealed = new BlockList()
  /** Number of the first block; places in the lists below are counted from it. */
  readonly #first: number
  /** From the second block to the one at this place they have no state. */
  #prunedUpTo = 0
  /** From the second block to the one at this place they are kept as bytes. */
  #storedUpTo = 0
  /** From the second block to the one at this place they need not be looked at to have less in memory. */
  #shelvedUpTo = 0
  /** Chunks of blocks that need not be looked at to be packed. The first one has a block with a state. */
  #packedChunks = 1
  /** Bytes of blocks that are in memory. */
  #residentBytes = 0
  #budgetBytes = 0
  #shelf: BlockShelf | undefined
  /** Blocks whose states are gone. */
  readonly #pages = new RecordPages()
  /** By place. */
  readonly #hashes = new HashIndex((place) => (this.#sealed.at(place) as SealedBlock).hash)
  /** All sealed transactions in order. A transaction can be sealed twice if its nonce was lowered. */
  readonly #transactions = new HashIndex((position) => {
    const { block, index } = this.#placeOf(position)
    return transactionHashOf(block, index)
  })
  /** Places of the blocks that have transactions. */
  readonly #filled = new NumberList()
  /** The position in `#transactions` of the first transaction of each block in `#filled`. */
  readonly #firstPositions = new NumberList()
  /** By place. */
  readonly #logs = new LogIndex()
  /** Index of each transaction in the live block. */
  readonly #live = new Map<Hash, number>()
  #pending: PartialBlock | undefined

  /** @param first - Always keeps its state. */
  constructor(first: SealedBlock) {
    this.#first = first.header.number
    this.#add(first, false)
  }

  /**
   * From now on the bytes of old blocks leave memory where all of them take more.
   *
   * @param shelf - Asked for the oldest blocks first, and again later where it has no place.
   */
  keepWithin(budgetBytes: number, shelf: BlockShelf): void {
    this.#budgetBytes = budgetBytes
    this.#shelf = shelf
    this.#packOldest(shelf)
  }

  memory(): BlockMemory {
    return { usedBytes: this.#residentBytes, budgetBytes: this.#shelf && this.#budgetBytes }
  }

  /** Appends a block of an earlier run. */
  restore({ block, hash, number, tags, bloom }: RestoredBlock): void {
    invariant(number === this.#first + this.#sealed.length, 'blocks are restored in order')
    block.pack(this.#pages)
    this.#add(block, tags.length > 0, bloom, hash)
    for (const tag of tags) this.#transactions.addTag(tag)
    this.#prunedUpTo = this.#sealed.length - 1
    this.#storedUpTo = this.#prunedUpTo
  }

  /** Takes back the restored blocks above a number. Returns them, oldest first. */
  takeBack(number: number): readonly SealedBlock[] {
    return this.#cut(number - this.#first + 1)
  }

  /** Whether the state of a sealed block is kept. */
  hasState(number: number): boolean {
    const block = this.blockByNumber(number)
    return block !== undefined && keepsState(block)
  }

  /** Takes over the states that blocks of `chain` still have and this store has released: only the newest can. */
  adoptStates(chain: BlockSequence): void {
    const first = oldestWithState(chain.length)
    for (const [i, block] of chain.slice(first).entries()) {
      const own = this.#sealed.at(first + i)
      // Hashes come last: those of old blocks are read from bytes.
      if (!own || own === block || keepsState(own) || !keepsState(block)) continue
      if (own.hash === block.hash) this.#replace(first + i, block)
    }
    this.#lookAgainFrom(first)
    this.#findPruned()
  }

  /** Blocks that returned without their states may be above others that have theirs. */
  #findPruned(): void {
    let place = oldestWithState(this.#sealed.length) - 1
    while (place + 1 < this.#sealed.length && !this.hasState(this.#first + place + 1)) place++
    this.#prunedUpTo = place
    this.#storedUpTo = place
  }

  head(): SealedBlock {
    return this.#sealed.at(-1) as SealedBlock
  }

  pending(): PartialBlock {
    invariant(this.#pending, 'no partial block was cut yet')
    return this.#pending
  }

  first(): SealedBlock {
    return this.#sealed.at(0) as SealedBlock
  }

  blockByNumber(number: number): SealedBlock | undefined {
    return number < this.#first ? undefined : this.#sealed.at(number - this.#first)
  }

  blockByHash(hash: Hash): SealedBlock | undefined {
    const place = this.#hashes.find(hash)
    return place === undefined ? undefined : this.#sealed.at(place)
  }

  blocksWithLogs(from: number, to: number, query: BloomQuery): readonly SealedBlock[] {
    return this.#logs
      .find(from - this.#first, to - this.#first, query)
      .map((place) => this.#sealed.at(place) as SealedBlock)
  }

  findTransaction(hash: Hash): { readonly included: IncludedTransaction; readonly block: Block } | undefined {
    const position = this.#transactions.find(hash)
    if (position !== undefined) {
      const { block, index } = this.#placeOf(position)
      return entry(block, index)
    }
    const index = this.#live.get(hash)
    return index === undefined ? undefined : entry(this.pending(), index)
  }

  /** A transaction of the live block, even if it was sealed before as well. */
  liveTransaction(hash: Hash): Transaction | undefined {
    const index = this.#live.get(hash)
    return index === undefined ? undefined : this.pending().transactions[index]?.tx
  }

  /** Makes `partial` the pending block. */
  setPending(partial: PartialBlock): void {
    invariant(partial.header.parentHash === this.head().hash, 'the live block must follow the head')
    if (partial.restarts) this.#live.clear()
    for (const { tx, transactionIndex } of partial.transactions.slice(this.#live.size)) {
      this.#live.set(tx.hash, transactionIndex)
    }
    this.#pending = partial
  }

  /** Appends a sealed block and sets its successor's first partial block, in one step. */
  seal(block: SealedBlock, next: PartialBlock): void {
    this.#append(block)
    this.setPending(next)
  }

  /** The sealed blocks above a number, oldest first. */
  above(number: number): readonly SealedBlock[] {
    return this.#sealed.slice(number - this.#first + 1)
  }

  /** All sealed blocks, from the first, as they are now. */
  sealed(): BlockList {
    return this.#sealed.copy()
  }

  /**
   * Replaces the sealed blocks above `number`, and the live block, in one step.
   *
   * @param pending - A partial block that `restarts`.
   * @returns The removed blocks, newest first.
   */
  rewrite(number: number, blocks: readonly SealedBlock[], pending: PartialBlock): readonly SealedBlock[] {
    const kept = number - this.#first + 1
    const removed = this.#cut(kept)
    for (const block of blocks) this.#append(block)
    this.setPending(pending)
    return removed.toReversed()
  }

  /** Removes the blocks from a place on, and returns them. */
  #cut(kept: number): SealedBlock[] {
    invariant(kept > 0 && kept <= this.#sealed.length, 'the chain is too short for that')
    this.#hashes.truncate(kept)
    this.#logs.truncate(kept)
    const filled = this.#filled.firstFrom(kept)
    if (filled < this.#filled.length) this.#transactions.truncate(this.#firstPositions.at(filled))
    this.#firstPositions.truncate(filled)
    this.#filled.truncate(filled)
    const removed = this.#sealed.cut(kept)
    for (const block of removed) this.#residentBytes -= residentBytesOf(block)
    this.#lookAgainFrom(kept)
    this.#findPruned()
    return removed
  }

  /**
   * Releases states that are too old, turns old blocks into bytes, and has the oldest bytes leave memory. That takes a
   * while for each transaction of a block that becomes bytes, so it is done after each change has been announced.
   */
  tidy(): void {
    const head = this.#sealed.length - 1
    for (let place = this.#storedUpTo + 1; place <= head - PARSED_KEPT; place++) {
      const block = this.#sealed.at(place) as SealedBlock
      if (!(block instanceof StoredBlock)) {
        const { state } = block
        this.#replace(place, new StoredBlock(recordOf(block), () => state))
      }
      this.#storedUpTo = place
    }
    for (let place = this.#prunedUpTo + 1; place <= head - STATES_KEPT; place++) {
      this.#replace(place, this.#withoutState(this.#sealed.at(place) as SealedBlock))
      this.#prunedUpTo = place
    }
    if (!this.#shelf) return
    this.#shelveOldest(this.#shelf)
    this.#packOldest(this.#shelf)
  }

  /** Blocks from a place on are others than before. */
  #lookAgainFrom(place: number): void {
    this.#shelvedUpTo = Math.min(this.#shelvedUpTo, place - 1)
    this.#packedChunks = Math.max(1, Math.min(this.#packedChunks, Math.floor(place / CHUNK)))
  }

  #packOldest(shelf: BlockShelf): void {
    for (; CHUNK * (this.#packedChunks + 1) <= this.#prunedUpTo + 1; this.#packedChunks++) {
      const last = CHUNK * (this.#packedChunks + 1) - 1
      const isPacked = this.#sealed.pack(this.#packedChunks, (blocks) =>
        packBlocks(blocks, (places) => shelf.pack(places)),
      )
      // Blocks leave memory in order: those before it have, too.
      if (isPacked) this.#shelvedUpTo = Math.max(this.#shelvedUpTo, last)
      // Some of its blocks may never leave memory.
      else if (this.#shelvedUpTo < last) return
    }
  }

  #shelveOldest(shelf: BlockShelf): void {
    let shelved = 0
    for (let place = this.#shelvedUpTo + 1; place <= this.#storedUpTo; place++) {
      if (this.#residentBytes <= this.#budgetBytes || shelved === SHELVED_AT_ONCE) return
      const block = this.#sealed.at(place) as StoredBlock
      if (block.residentBytes > 0) {
        const { hash, record } = block
        const bytes = shelf.shelve({ number: this.#first + place, hash, record })
        if (!bytes) return
        shelved++
        if (bytes !== 'stays') {
          this.#residentBytes -= block.residentBytes
          block.shelve(bytes, hash)
        }
      }
      this.#shelvedUpTo = place
    }
  }

  #withoutState(block: SealedBlock): StoredBlock {
    const stored = block instanceof StoredBlock ? block.withState() : new StoredBlock(recordOf(block))
    stored.pack(this.#pages)
    return stored
  }

  #replace(place: number, block: SealedBlock): void {
    this.#residentBytes += residentBytesOf(block) - residentBytesOf(this.#sealed.at(place) as SealedBlock)
    this.#sealed.set(place, block)
  }

  #append(block: SealedBlock): void {
    invariant(block.header.number === this.#first + this.#sealed.length, 'blocks must be sealed in order')
    invariant(block.header.parentHash === this.head().hash, 'a block must follow its parent')
    this.#add(block, block.transactions.length > 0)
    for (const { tx } of block.transactions) this.#transactions.add(tx.hash)
  }

  /** Without its transactions, which come next. */
  #add(block: SealedBlock, isFilled: boolean, bloom: Uint8Array = bloomOf(block), hash: Hash = block.hash): void {
    this.#residentBytes += residentBytesOf(block)
    if (bloom.length > 0 && !isEmptyBloom(bloom)) this.#logs.add(this.#sealed.length, bloom)
    if (isFilled) {
      this.#filled.push(this.#sealed.length)
      this.#firstPositions.push(this.#transactions.length)
    }
    this.#sealed.push(block)
    this.#hashes.add(hash)
  }

  /** Block and index of the transaction at a position in `#transactions`. */
  #placeOf(position: number): { readonly block: SealedBlock; readonly index: number } {
    const filled = this.#firstPositions.firstFrom(position + 1) - 1
    const block = this.#sealed.at(this.#filled.at(filled)) as SealedBlock
    return { block, index: position - this.#firstPositions.at(filled) }
  }
}

/** The place of the oldest block, besides the first, that may have its state in a chain of that length. */
function oldestWithState(length: number): number {
  return Math.max(1, length - STATES_KEPT - 1)
}

function residentBytesOf(block: SealedBlock): number {
  return block instanceof StoredBlock ? block.residentBytes : 0
}

/** Whether the block's state is available. */
export function keepsState(block: SealedBlock): boolean {
  return block instanceof StoredBlock ? block.keepsState : true
}

function entry(block: Block, index: number) {
  const included = includedAt(block, index)
  invariant(included, `block ${block.header.number} has no transaction ${index}`)
  return { included, block }
}
