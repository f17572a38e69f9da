import { invariant } from '#primitives/invariant.ts'
import type { SealedBlock } from '../payload/block.ts'

/** Blocks of a chunk. */
export const CHUNK = 256

/** Sealed blocks in order; a plain list is one. */
export type BlockSequence = Pick<readonly SealedBlock[], 'length' | 'at' | 'slice'>

/** Makes each block of a chunk when it is asked for. */
export type PackedBlocks = (index: number) => SealedBlock

interface Chunk {
  /** The list that may change it. */
  readonly owner: object
  blocks: SealedBlock[] | PackedBlocks
}

/** A list of sealed blocks whose copies share what has not changed since: a copy takes 8 bytes for 256 blocks. */
export class BlockList implements BlockSequence {
  #chunks: Chunk[]
  #length: number
  /** Changes with each copy, so that no chunk of the copy is changed any more. */
  #owner: object = {}

  constructor(chunks: readonly Chunk[] = [], length: number = 0) {
    this.#chunks = chunks.slice()
    this.#length = length
  }

  get length(): number {
    return this.#length
  }

  /** @param place - Below 0 it counts from the end. */
  at(place: number): SealedBlock | undefined {
    const index = place < 0 ? this.#length + place : place
    if (index < 0 || index >= this.#length) return undefined
    const { blocks } = this.#chunks[Math.floor(index / CHUNK)] as Chunk
    return typeof blocks === 'function' ? blocks(index % CHUNK) : blocks[index % CHUNK]
  }

  /** As of a list; only for places from 0 on. */
  slice(from: number = 0, end: number = this.#length): SealedBlock[] {
    const blocks: SealedBlock[] = []
    for (let place = from; place < Math.min(end, this.#length); ) {
      const chunk = this.#chunks[Math.floor(place / CHUNK)] as Chunk
      const part = blocksOf(chunk).slice(place % CHUNK, Math.min(CHUNK, (place % CHUNK) + end - place))
      blocks.push(...part)
      place += part.length
    }
    return blocks
  }

  push(block: SealedBlock): void {
    if (this.#length % CHUNK === 0) this.#chunks.push({ owner: this.#owner, blocks: [block] })
    else this.#chunkOf(this.#length)[this.#length % CHUNK] = block
    this.#length++
  }

  /** Replaces the block at a place that the list has. */
  set(place: number, block: SealedBlock): void {
    invariant(place < this.#length, 'a block that is replaced is in the list')
    this.#chunkOf(place)[place % CHUNK] = block
  }

  /**
   * Packs a chunk that has all of its blocks, also for the copies that share it.
   *
   * @param pack - Returns the same blocks packed; `undefined` if they cannot be.
   * @returns Whether it is packed.
   */
  pack(index: number, pack: (blocks: readonly SealedBlock[]) => PackedBlocks | undefined): boolean {
    const chunk = this.#chunks[index] as Chunk
    if (typeof chunk.blocks !== 'function') chunk.blocks = pack(chunk.blocks) ?? chunk.blocks
    return typeof chunk.blocks === 'function'
  }

  /** Removes the blocks from a place on, and returns them. */
  cut(place: number): SealedBlock[] {
    const removed = this.slice(place)
    this.#chunks.length = Math.ceil(place / CHUNK)
    this.#length = place
    if (place % CHUNK !== 0) this.#chunkOf(place).length = place % CHUNK
    return removed
  }

  /** The blocks as they are now; later changes leave them alone. */
  copy(): BlockList {
    this.#owner = {}
    return this.first(this.#length)
  }

  /** As {@link copy}, of the first blocks, of a list that is not changed any more. */
  first(length: number): BlockList {
    return new BlockList(this.#chunks.slice(0, Math.ceil(length / CHUNK)), length)
  }

  /** The chunk of a place, to be changed. */
  #chunkOf(place: number): SealedBlock[] {
    const index = Math.floor(place / CHUNK)
    let chunk = this.#chunks[index] as Chunk
    let { blocks } = chunk
    if (chunk.owner !== this.#owner || typeof blocks === 'function') {
      blocks = blocksOf(chunk).slice()
      chunk = { owner: this.#owner, blocks }
      this.#chunks[index] = chunk
    }
    return blocks
  }
}

function blocksOf({ blocks }: Chunk): readonly SealedBlock[] {
  return typeof blocks === 'function' ? Array.from({ length: CHUNK }, (_, index) => blocks(index)) : blocks
}
