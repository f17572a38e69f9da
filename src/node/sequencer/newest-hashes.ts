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
  #hashes = new DataView(new ArrayBuffer(FIRST_PLACES * HASH_BYTES))
  /** Place plus 1; 0 for a free slot. */
  #slots = new Uint32Array(2 * FIRST_PLACES)
  /** Number of hashes that were ever added. */
  #added = 0
  readonly #wanted = new DataView(new ArrayBuffer(HASH_BYTES))

  /** @param capacity - The number of hashes that are remembered. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** The place of a hash; `undefined` if it was never added, or is forgotten. */
  find(hash: Hash): number | undefined {
    const wanted = this.#wanted
    setHex(new Uint8Array(wanted.buffer), 0, hash)
    for (let slot = this.#from(wanted.getUint32(0)); this.#slots[slot] !== 0; slot = this.#from(slot + 1)) {
      const place = (this.#slots[slot] as number) - 1
      let at = 0
      while (at < HASH_BYTES && this.#hashes.getUint32(place * HASH_BYTES + at) === wanted.getUint32(at)) at += 4
      if (at === HASH_BYTES) return place
    }
    return undefined
  }

  /** Adds a hash that is not there. @returns Its place. */
  add(hash: Hash): number {
    const added = this.#added++
    const place = added % this.#capacity
    if (added !== place) this.#remove(place)
    else if (place * HASH_BYTES === this.#hashes.byteLength) this.#grow(place)
    setHex(new Uint8Array(this.#hashes.buffer), place * HASH_BYTES, hash)
    this.#insert(place)
    return place
  }

  /** The slot of a number: the remainder. */
  #from(number: number): number {
    return (number & (this.#slots.length - 1)) >>> 0
  }

  /** The slot at which the search for the hash at a place begins. */
  #home(place: number): number {
    return this.#from(this.#hashes.getUint32(place * HASH_BYTES))
  }

  #insert(place: number): void {
    let slot = this.#home(place)
    while (this.#slots[slot] !== 0) slot = this.#from(slot + 1)
    this.#slots[slot] = place + 1
  }

  /** Frees the slot of a place, and moves up those behind it that would no longer be found. */
  #remove(place: number): void {
    const slots = this.#slots
    let free = this.#home(place)
    while (slots[free] !== place + 1) free = this.#from(free + 1)
    for (let next = this.#from(free + 1); slots[next] !== 0; next = this.#from(next + 1)) {
      const moved = slots[next] as number
      if (this.#from(next - this.#home(moved - 1)) < this.#from(next - free)) continue
      slots[free] = moved
      free = next
    }
    slots[free] = 0
  }

  /** @param places - Places in use. */
  #grow(places: number): void {
    const hashes = new Uint8Array(2 * places * HASH_BYTES)
    hashes.set(new Uint8Array(this.#hashes.buffer))
    this.#hashes = new DataView(hashes.buffer)
    this.#slots = new Uint32Array(4 * places)
    for (let place = 0; place < places; place++) this.#insert(place)
  }
}
