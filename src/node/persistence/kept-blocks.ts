import { EMPTY_BYTES, equalBytes } from '#primitives/bytes.ts'
import type { Hash } from '#primitives/hex.ts'
import type { SealedBlock } from '../payload/block.ts'
import { readBlockBloom, readBlockStart } from '../storage/block-record.ts'
import type { BlockShelf, RestoredBlock } from '../storage/chain-store.ts'
import { tagsOf } from '../storage/hash-index.ts'
import { BlockUnreadableError, type Journal, type RecordShelf, type StoredBytes } from '../storage/journal.ts'
import { StoredBlock } from '../storage/stored-block.ts'
import { corrupt, needed } from './check-records.ts'
import type { LeftBlock } from './left-blocks.ts'
import { keyOf } from './records.ts'

/** Bytes of blocks that stay in memory, unless the host says otherwise: 32 MiB. */
export const MEMORY_BYTES = 32 * 1024 * 1024

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

/** A block of the journal, on the chain or not. */
export interface KeptBlock extends RestoredBlock {
  readonly key: string
  readonly hash: Hash
  readonly parentHash: Hash
  block: StoredBlock
  tags: Uint32Array
  bloom: Uint8Array
}

/** Drops what only the indices of a store need. */
export function forgetIndexed(block: KeptBlock): void {
  block.tags = NO_TAGS
  block.bloom = EMPTY_BYTES
}

/** All blocks of the journal, whose bytes stay there as far as all of them take more memory than they may. */
export async function readBlocks(journal: Journal, memoryBytes: number): Promise<Map<Hash, KeptBlock>> {
  const blocks = new Map<Hash, KeptBlock>()
  const { shelf } = journal
  const resident = shelf && new ResidentBlocks(shelf, memoryBytes)
  await shelf?.ready()
  await journal.readEach('blocks', (key, record) => {
    const { transactionHashes, ...start } = readBlockStart(record)
    const bloom = readBlockBloom(record)
    const kept: KeptBlock = {
      ...start,
      key,
      // Most blocks of a chain that is years old are empty.
      tags: transactionHashes.length === 0 ? NO_TAGS : tagsOf(transactionHashes),
      bloom: bloom.length === 0 ? EMPTY_BYTES : bloom.slice(),
      block: new StoredBlock(record),
    }
    blocks.set(start.hash, kept)
    resident?.add(kept)
  })
  return blocks
}

/** Blocks that were read, of which the first ones leave memory. */
class ResidentBlocks {
  readonly #shelf: RecordShelf
  readonly #mostBytes: number
  readonly #blocks: KeptBlock[] = []
  /** How many of them were shelved. */
  #shelved = 0
  #bytes = 0

  constructor(shelf: RecordShelf, mostBytes: number) {
    this.#shelf = shelf
    this.#mostBytes = mostBytes
  }

  add(added: KeptBlock): void {
    this.#blocks.push(added)
    this.#bytes += added.block.residentBytes
    while (this.#bytes > this.#mostBytes) {
      const { key, hash, block } = this.#blocks[this.#shelved] as KeptBlock
      const place = this.#shelf.shelve(key, block.record)
      if (!place) return
      block.shelve(place, hash)
      this.#bytes -= place.length
      this.#shelved++
    }
  }
}

/** The blocks above the first one that lead to `head`, oldest first. */
export function chainTo(kept: ReadonlyMap<Hash, KeptBlock>, head: Hash, first: SealedBlock): KeptBlock[] {
  const chain: KeptBlock[] = []
  for (let hash = head; hash !== first.hash; ) {
    const block = needed(kept.get(hash), `block ${hash}`)
    if (chain.length === kept.size) throw corrupt('its blocks are their own ancestors')
    chain.push(block)
    hash = block.parentHash
  }
  chain.reverse()
  const { number } = first.header
  if (chain.some((block, i) => block.number !== number + i + 1)) throw corrupt('its blocks are not numbered in order')
  return chain
}

/** The stored blocks that are not on the chain. */
export function leftOf(kept: ReadonlyMap<Hash, KeptBlock>, chain: readonly KeptBlock[]): LeftBlock[] {
  const onChain = new Set(chain)
  const left = [...kept.values()].filter((block) => !onChain.has(block))
  return left.map(({ key, hash, parentHash }) => ({ key, hash, parentHash }))
}
