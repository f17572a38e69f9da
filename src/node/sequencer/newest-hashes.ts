import { type Hash, setHex } from '#primitives/hex.ts'

const HASH_BYTES = 32
/** Places of an empty index; a power of two. */
const FIRST_PLACES = 64

/**
 * The newest hashes, each at a place: a number below the capacity, at which its owner keeps what belongs to it. The oldest
 * hash leaves its place to the newest. An entry takes 40 to 80 bytes, against 200 in a `Map` by text.
 *
 * Open addressing with linear probing, at most half full.
 */
export class NewestHashes {
  readonly #capacity: number
  /** The hash at each place, one after the other. */
  #hashes = new Uint8Array(FIRST_PLACES * HASH_BYTES)
  /** The same bytes. */
  #words = new DataView(this.#hashes.buffer)
  /** Place plus 1; 0 for a free slot. */
  #slots = new Uint32Array(2 * FIRST_PLACES)
  /** Number of places in use. */
  #length = 0
  /** Place of the oldest hash, once all places are in use. */
  #oldest = 0
  readonly #wanted = new Uint8Array(HASH_BYTES)
  readonly #wantedWords = new DataView(this.#wanted.buffer)

  /** @param capacity - The number of hashes that are remembered. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** The place of a hash; `undefined` if it was never added, or is forgotten. */
  find(hash: Hash): number | undefined {
    setHex(this.#wanted, 0, hash)
    const mask = this.#slots.length - 1
    for (let slot = this.#wantedWords.getUint32(0) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] as number) - 1
      if (this.#isWanted(place)) return place
    }
    return undefined
  }

  /** Adds a hash that is not there. @returns Its place. */
  add(hash: Hash): number {
    const place = this.#freePlace()
    setHex(this.#hashes, place * HASH_BYTES, hash)
    this.#insert(place)
    return place
  }

  #freePlace(): number {
    if (this.#length < this.#capacity) {
      if (this.#length * HASH_BYTES === this.#hashes.length) this.#grow()
      return this.#length++
    }
    const place = this.#oldest
    this.#remove(place)
    this.#oldest = (place + 1) % this.#capacity
    return place
  }

  #isWanted(place: number): boolean {
    const start = place * HASH_BYTES
    for (let at = 0; at < HASH_BYTES; at += 4) {
      if (this.#words.getUint32(start + at) !== this.#wantedWords.getUint32(at)) return false
    }
    return true
  }

  /** The slot at which the search for the hash at a place begins. */
  #home(place: number): number {
    return this.#words.getUint32(place * HASH_BYTES) & (this.#slots.length - 1)
  }

  #insert(place: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#home(place)
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = place + 1
  }

  /** Frees the slot of a place, and moves up those behind it that would no longer be found. */
  #remove(place: number): void {
    const slots = this.#slots
    const mask = slots.length - 1
    let free = this.#home(place)
    while (slots[free] !== place + 1) free = (free + 1) & mask
    for (let next = (free + 1) & mask; slots[next] !== 0; next = (next + 1) & mask) {
      const moved = slots[next] as number
      if (((next - this.#home(moved - 1)) & mask) < ((next - free) & mask)) continue
      slots[free] = moved
      free = next
    }
    slots[free] = 0
  }

  #grow(): void {
    const hashes = new Uint8Array(2 * this.#hashes.length)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    this.#words = new DataView(hashes.buffer)
    this.#slots = new Uint32Array(2 * this.#slots.length)
    for (let place = 0; place < this.#length; place++) this.#insert(place)
  }
}
