import type { Hash } from '#primitives/hex.ts'

/** Slots of an empty table; a power of two. */
const FIRST_CAPACITY = 64
/** Entries of a run. Their places in it fit two bytes. */
const RUN = 1 << 15
/** Buckets of a run: the upper bits of a tag. */
const BUCKET_BITS = 11

/** The entries of {@link RUN} positions, sorted into buckets; a bucket's entries are in order of position. */
interface Run {
  /** Index of each bucket's first entry, and the number of entries. */
  readonly starts: Uint16Array
  readonly tags: Uint32Array
  /** Position of each entry, counted from the run's first. */
  readonly places: Uint16Array
}

/**
 * Maps a hash to its position in a list. The hashes stay with the caller: an entry takes 6 bytes, against 140 in a `Map`
 * by text.
 *
 * The newest entries are in a table: open addressing with linear probing, at most three quarters full. Only the newest
 * entries can be removed, so of two entries with the same hash the newer always comes later in the probe sequence. A full
 * table becomes a sorted run, so that no addition takes longer the more entries there are.
 */
export class HashIndex {
  readonly #hashAt: (position: number) => Hash
  #runs: Run[] = []
  /** Entries in the table. */
  #recent = 0
  /** First four bytes of the hash of each entry in the table. */
  #tags = new Uint32Array(0.75 * FIRST_CAPACITY)
  /** The table: an index in `#tags` plus 1; 0 for a free slot. */
  #slots = new Uint16Array(FIRST_CAPACITY)

  /** @param hashAt - Returns the hash at a position that was added and not removed. */
  constructor(hashAt: (position: number) => Hash) {
    this.#hashAt = hashAt
  }

  /** Number of entries, and the position of the next. */
  get length(): number {
    return this.#firstRecent + this.#recent
  }

  get #firstRecent(): number {
    return RUN * this.#runs.length
  }

  /** Adds a hash at position {@link length}. It may already be in the index. */
  add(hash: Hash): void {
    this.addTag(tagOf(hash))
  }

  /** Adds a hash of which only the {@link tagsOf | tag} is at hand. */
  addTag(tag: number): void {
    if (this.#recent === RUN) this.#sortTable()
    else if (this.#recent === this.#tags.length) this.#grow()
    this.#tags[this.#recent++] = tag
    this.#insert(this.#recent, tag)
  }

  /** The newest position of a hash. */
  find(hash: Hash): number | undefined {
    const tag = tagOf(hash)
    const mask = this.#slots.length - 1
    let found: number | undefined
    for (let slot = tag & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] as number) - 1
      if (this.#tags[place] !== tag) continue
      const position = this.#firstRecent + place
      if (this.#hashAt(position) === hash) found = position
    }
    return found ?? this.#findInRuns(hash, tag)
  }

  #findInRuns(hash: Hash, tag: number): number | undefined {
    const bucket = bucketOf(tag)
    for (let run = this.#runs.length - 1; run >= 0; run--) {
      const { starts, tags, places } = this.#runs[run] as Run
      const first = starts[bucket] as number
      for (let at = (starts[bucket + 1] as number) - 1; at >= first; at--) {
        if (tags[at] !== tag) continue
        const position = RUN * run + (places[at] as number)
        if (this.#hashAt(position) === hash) return position
      }
    }
    return undefined
  }

  /** Removes all entries from position `length` on. */
  truncate(length: number): void {
    if (length >= this.#firstRecent) {
      const mask = this.#slots.length - 1
      for (const kept = length - this.#firstRecent; this.#recent > kept; this.#recent--) {
        let slot = (this.#tags[this.#recent - 1] as number) & mask
        while (this.#slots[slot] !== this.#recent) slot = (slot + 1) & mask
        this.#slots[slot] = 0
      }
      return
    }
    const cut = Math.floor(length / RUN)
    const { tags, places } = this.#runs[cut] as Run
    this.#runs.length = cut
    this.#empty()
    const inOrder = new Uint32Array(RUN)
    for (const [at, place] of places.entries()) inOrder[place] = tags[at] as number
    for (const tag of inOrder.subarray(0, length - RUN * cut)) this.addTag(tag)
  }

  /** @param entry - Index in `#tags` plus 1. */
  #insert(entry: number, tag: number): void {
    const mask = this.#slots.length - 1
    let slot = tag & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = entry
  }

  /** Doubles the slots and refills them in order of position. */
  #grow(): void {
    const tags = this.#tags
    this.#slots = new Uint16Array(2 * this.#slots.length)
    this.#tags = new Uint32Array(Math.min(RUN, 0.75 * this.#slots.length))
    this.#tags.set(tags)
    for (let place = 0; place < this.#recent; place++) this.#insert(place + 1, tags[place] as number)
  }

  #empty(): void {
    this.#recent = 0
    this.#slots.fill(0)
  }

  /** Turns the table, which has {@link RUN} entries, into a run. */
  #sortTable(): void {
    const next = new Uint16Array((1 << BUCKET_BITS) + 1)
    for (const tag of this.#tags) next[bucketOf(tag) + 1] = (next[bucketOf(tag) + 1] as number) + 1
    for (let bucket = 1; bucket < next.length; bucket++) {
      next[bucket] = (next[bucket] as number) + (next[bucket - 1] as number)
    }
    const run: Run = { starts: next.slice(), tags: new Uint32Array(RUN), places: new Uint16Array(RUN) }
    for (const [place, tag] of this.#tags.entries()) {
      const at = next[bucketOf(tag)] as number
      next[bucketOf(tag)] = at + 1
      run.tags[at] = tag
      run.places[at] = place
    }
    this.#runs.push(run)
    this.#empty()
  }
}

/** What the index keeps of hashes that are bytes, one after the other: of each the first four. */
export function tagsOf(hashes: Uint8Array): Uint32Array {
  const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.length)
  return Uint32Array.from({ length: hashes.length / 32 }, (_, i) => view.getUint32(32 * i))
}

function tagOf(hash: Hash): number {
  return Number.parseInt(hash.slice(2, 10), 16)
}

function bucketOf(tag: number): number {
  return tag >>> (32 - BUCKET_BITS)
}
