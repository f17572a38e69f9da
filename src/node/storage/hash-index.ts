import type { Hash } from '#primitives/hex.ts'

/** Slots of an empty index; a power of two. */
const FIRST_CAPACITY = 64

/**
 * Maps a hash to its position in a list. The hashes stay with the caller: an entry takes 11 to 21 bytes, against 140 in
 * a `Map` by text.
 *
 * Open addressing with linear probing, at most three quarters full. Only the newest entries can be removed, so of two
 * entries with the same hash the newer always comes later in the probe sequence.
 */
export class HashIndex {
  readonly #hashAt: (position: number) => Hash
  #length = 0
  /** Position plus 1; 0 for a free slot. */
  #positions = new Uint32Array(FIRST_CAPACITY)
  /** The hash's first four bytes. */
  #tags = new Uint32Array(FIRST_CAPACITY)

  /** @param hashAt - Returns the hash at a position that was added and not removed. */
  constructor(hashAt: (position: number) => Hash) {
    this.#hashAt = hashAt
  }

  /** Number of entries, and the position of the next. */
  get length(): number {
    return this.#length
  }

  /** Adds a hash at position {@link length}. It may already be in the index. */
  add(hash: Hash): void {
    this.#addTag(tagOf(hash))
  }

  /** Adds a hash that is bytes, from index `start` on. */
  addBytes(bytes: Uint8Array, start: number): void {
    let tag = 0
    for (let i = start; i < start + 4; i++) tag = ((tag << 8) | (bytes[i] as number)) >>> 0
    this.#addTag(tag)
  }

  /** The newest position of a hash. */
  find(hash: Hash): number | undefined {
    const tag = tagOf(hash)
    const mask = this.#positions.length - 1
    let found: number | undefined
    for (let slot = tag & mask; this.#positions[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#tags[slot] !== tag) continue
      const position = (this.#positions[slot] as number) - 1
      if (this.#hashAt(position) === hash) found = position
    }
    return found
  }

  /** Removes all entries from position `length` on. `hashAt` must still know their hashes. */
  truncate(length: number): void {
    const mask = this.#positions.length - 1
    for (let position = this.#length - 1; position >= length; position--) {
      let slot = tagOf(this.#hashAt(position)) & mask
      while (this.#positions[slot] !== position + 1) slot = (slot + 1) & mask
      this.#positions[slot] = 0
      this.#length = position
    }
  }

  #addTag(tag: number): void {
    if (this.#length + 1 > 0.75 * this.#positions.length) this.#grow()
    this.#insert(this.#length, tag)
    this.#length++
  }

  #insert(position: number, tag: number): void {
    const mask = this.#positions.length - 1
    let slot = tag & mask
    while (this.#positions[slot] !== 0) slot = (slot + 1) & mask
    this.#positions[slot] = position + 1
    this.#tags[slot] = tag
  }

  /** Doubles the slots and refills them in order of position. */
  #grow(): void {
    const tags = new Uint32Array(this.#length)
    const capacity = 2 * this.#positions.length
    for (let slot = 0; slot < this.#positions.length; slot++) {
      const position = this.#positions[slot] as number
      if (position !== 0) tags[position - 1] = this.#tags[slot] as number
    }
    this.#positions = new Uint32Array(capacity)
    this.#tags = new Uint32Array(capacity)
    for (let position = 0; position < tags.length; position++) this.#insert(position, tags[position] as number)
  }
}

/** The first four bytes of a hash. */
function tagOf(hash: Hash): number {
  return Number.parseInt(hash.slice(2, 10), 16)
}
