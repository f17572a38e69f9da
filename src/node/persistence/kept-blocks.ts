import { equalBytes } from '#primitives/bytes.ts'
import type { Hash } from '#primitives/hex.ts'
import { readBlockBloom, readBlockStart } from '../storage/block-record.ts'
import type { BlockShelf, ChainStore, RestoredBlock } from '../storage/chain-store.ts'
import { tagsOf } from '../storage/hash-index.ts'
import { BlockUnreadableError, type Journal, type RecordShelf, type StoredBytes } from '../storage/journal.ts'
import { StoredBlock } from '../storage/stored-block.ts'
import { corrupt, needed } from './check-records.ts'
import type { LeftBlock } from './left-blocks.ts'
import { keyOf } from './records.ts'

/** Bytes of blocks that stay in memory, unless the host says otherwise: 32 MiB. */
export const MEMORY_BYTES = 32 * 1024 * 1024
/** How many blocks are read before the oldest ones leave memory, and how many bytes they may take until then. */
const TIDIED_AFTER = 64
const UNTIDY_BYTES = 1024 * 1024

/** Has a store read again from the journal what leaves its memory. */
export function shelfOf(journal: Journal): BlockShelf {
  return {
    shelve({ number, hash, record }) {
      const place = journal.shelf?.shelve(keyOf(number, hash), record)
      const stored = place && readable(place)
      if (!stored) return undefined
      // A block that was sealed twice can have been cut into partial blocks in two ways.
      return equalBytes(stored, record) ? place : 'stays'
    },
    pack: (places) => journal.shelf?.pack(places),
  }
}

/** `undefined` if it cannot be read: what is in memory stays there. */
function readable(place: StoredBytes): Uint8Array | undefined {
  try {
    return place.read()
  } catch (error) {
    if (error instanceof BlockUnreadableError) return undefined
    throw error
  }
}

const NO_TAGS = new Uint32Array()

/** A block of the journal that is not on the chain, or not yet known to be. */
export interface KeptBlock {
  readonly hash: Hash
  readonly parentHash: Hash
  readonly number: number
  readonly block: StoredBlock
}

/** Some newest blocks of a chain, and the chain's block below them. */
export interface KeptBranch {
  /** Number of the newest block that the chain has as well. */
  readonly from: number
  /** Oldest first. */
  readonly blocks: readonly KeptBlock[]
}

/** A block with what the indices of a store need of it. */
type ReadBlock = KeptBlock & RestoredBlock

/**
 * Reads all blocks of the journal, most of them into a store that has only the first one. Their bytes stay in the journal
 * as far as all of them take more memory than they may.
 */
export async function readBlocks(
  journal: Pick<Journal, 'readEach' | 'shelf'>,
  store: ChainStore,
  memoryBytes: number,
): Promise<KeptBlocks> {
  const { shelf } = journal
  const kept = new KeptBlocks(store, shelf, memoryBytes)
  await shelf?.ready()
  if (shelf) {
    store.keepWithin(memoryBytes, {
      // The record was just read from there.
      shelve: ({ number, hash, record }) => shelf.shelve(keyOf(number, hash), record),
      pack: (places) => shelf.pack(places),
    })
  }
  let untidy = 0
  await journal.readEach('blocks', (key, record) => {
    const block = readRecord(new StoredBlock(record))
    if (key !== keyOf(block.number, block.hash)) throw corrupt(`block ${block.hash} has the key of another one`)
    kept.add(block)
    if (++untidy < TIDIED_AFTER && store.memory().usedBytes < memoryBytes + UNTIDY_BYTES) return
    untidy = 0
    store.tidy()
  })
  return kept
}

function readRecord(block: StoredBlock): ReadBlock {
  const { record } = block
  const { transactionHashes, ...start } = readBlockStart(record)
  return {
    ...start,
    block,
    // Most blocks of a chain that is years old are empty.
    tags: transactionHashes.length === 0 ? NO_TAGS : tagsOf(transactionHashes),
    bloom: readBlockBloom(record),
  }
}

/**
 * The blocks of a journal. Nearly all of them are on the chain: they go into the store as they are read, which takes a few
 * bytes for each. An object is kept only of the others.
 *
 * Blocks come in the order of their numbers, and which ones are on the chain is known from its newest block on. But a block
 * that is the only one of its number is on each chain that is so long, and so are its ancestors. Where the chain ends below
 * such a block, the store has to give some back.
 */
export class KeptBlocks {
  readonly #store: ChainStore
  readonly #shelf: RecordShelf | undefined
  readonly #mostBytes: number
  /** Newest block in the store. */
  #tip: Pick<KeptBlock, 'hash' | 'number'>
  /** Blocks of the number that was read last. */
  #newest: ReadBlock[] = []
  /** Blocks that are not in the store. */
  readonly #aside = new Map<Hash, KeptBlock>()
  /** Bytes of them that are in memory. */
  #asideBytes = 0
  /** All that were among them, in order, and how many of these need not be looked at to have less in memory. */
  #all: KeptBlock[] = []
  #shelved = 0
  /** Hashes of blocks that cannot follow the newest one in the store. */
  readonly #strays = new Set<Hash>()

  /**
   * @param shelf - Where bytes can be read again; left out if they stay in memory.
   * @param mostBytes - Bytes of blocks that are not in the store that may be in memory.
   */
  constructor(store: ChainStore, shelf: RecordShelf | undefined, mostBytes: number) {
    this.#store = store
    this.#shelf = shelf
    this.#mostBytes = mostBytes
    const { hash, header } = store.head()
    this.#tip = { hash, number: header.number }
  }

  /** Adds a block. Memory stays low if they come in the order of their numbers. */
  add(block: ReadBlock): void {
    if (this.#newest[0]?.number !== block.number) this.#settleNewest()
    this.#newest.push(block)
  }

  /**
   * Leaves the chain in the store that leads to a block.
   *
   * @throws {JournalError} `corrupt`, if there is none.
   */
  settle(head: Hash): void {
    this.#settleNewest()
    const { from, blocks } = this.branchTo(head)
    for (const block of this.#store.takeBack(from)) this.#keep(readRecord(block as StoredBlock))
    for (const block of blocks) this.#rejoin(block)
    this.#all = []
    this.#shelved = 0
  }

  /**
   * The blocks that lead to `head` and are not in the store.
   *
   * @throws {JournalError} `corrupt`, if they do not follow one of its blocks.
   */
  branchTo(head: Hash): KeptBranch {
    const blocks: KeptBlock[] = []
    let below = this.#store.blockByHash(head)
    for (let hash = head; !below; below = this.#store.blockByHash(hash)) {
      const block = needed(this.#aside.get(hash), `block ${hash}`)
      if (blocks.length === this.#aside.size) throw corrupt('its blocks are their own ancestors')
      blocks.push(block)
      hash = block.parentHash
    }
    const from = below.header.number
    blocks.reverse()
    if (blocks.some(({ number }, i) => number !== from + i + 1)) throw corrupt('its blocks are not numbered in order')
    return { from, blocks }
  }

  /** The blocks that are not on the chain. */
  left(): LeftBlock[] {
    return [...this.#aside.values()].map(({ hash, parentHash, number }) => {
      return { key: keyOf(number, hash), hash, parentHash }
    })
  }

  /** All blocks of a number have been read. */
  #settleNewest(): void {
    const newest = this.#newest
    this.#newest = []
    const [only] = newest
    const ancestors = only && newest.length === 1 ? this.#ancestorsOf(only) : undefined
    if (only && ancestors) {
      for (const block of ancestors) this.#rejoin(block)
      this.#restore(only)
    } else for (const block of newest) this.#keep(block)
  }

  /** The blocks between the newest one in the store and a block, oldest first; `undefined` if it does not follow that. */
  #ancestorsOf(block: KeptBlock): KeptBlock[] | undefined {
    const passed: KeptBlock[] = []
    const { hash, number } = this.#tip
    let oldest = block
    while (oldest.number > number + 1) {
      const parent = this.#aside.get(oldest.parentHash)
      if (!parent || parent.number !== oldest.number - 1 || this.#strays.has(parent.hash)) break
      passed.push(parent)
      oldest = parent
    }
    if (oldest.number === number + 1 && oldest.parentHash === hash) return passed.reverse()
    // Nobody goes this way again: however a journal was made, each block is passed once.
    for (const each of [block, ...passed]) this.#strays.add(each.hash)
    return undefined
  }

  /** Moves a block that is not in the store there. */
  #rejoin({ hash, block }: KeptBlock): void {
    this.#aside.delete(hash)
    this.#asideBytes -= block.residentBytes
    this.#restore(readRecord(block))
  }

  #restore(block: ReadBlock): void {
    this.#store.restore(block)
    this.#tip = { hash: block.hash, number: block.number }
  }

  #keep({ hash, parentHash, number, block }: KeptBlock): void {
    const kept = { hash, parentHash, number, block }
    this.#asideBytes += block.residentBytes - (this.#aside.get(hash)?.block.residentBytes ?? 0)
    this.#aside.set(hash, kept)
    if (!this.#shelf) return
    this.#all.push(kept)
    this.#shelveOldest(this.#shelf)
  }

  #shelveOldest(shelf: RecordShelf): void {
    while (this.#asideBytes > this.#mostBytes) {
      const oldest = this.#all[this.#shelved]
      if (!oldest) return
      const { number, hash, block } = oldest
      const { residentBytes } = block
      if (residentBytes > 0 && this.#aside.get(hash) === oldest) {
        const place = shelf.shelve(keyOf(number, hash), block.record)
        if (!place) return
        block.shelve(place, hash)
        this.#asideBytes -= residentBytes
      }
      this.#shelved++
    }
  }
}
