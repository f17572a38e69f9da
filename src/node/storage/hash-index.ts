import type { Hash } from '#primitives/hex.ts'

/** Slots of an empty table; a power of two. */
const FIRST_CAPACITY = 64
/** Entries of a run. Their places in it fit two bytes, and so does their number. */
const RUN = (1 << 16) - 1
/** Buckets of a run: the upper half of a tag says which. */
const BUCKETS = 1 << 16
/** Parts from which on a run is not merged: that takes milliseconds. */
const ENOUGH_PARTS = 16

/** The entries of consecutive positions, sorted into buckets; those of a bucket are in order of position. */
interface Run {
  /** Position of the first entry. */
  readonly first: number
  /** Index of each bucket's first entry, and the number of entries. */
  readonly starts: Uint16Array | Uint32Array
  /** Two for each entry: the lower half of its tag, and its position, counted from the first one of its part. */
  readonly entries: Uint16Array
  /** The part of each entry, a run as the table made it; left out if there is only one. */
  readonly parts: Uint8Array | undefined
}

/**
 * Maps a hash to its position in a list. The hashes stay with the caller: an entry takes 6 bytes, against 140 in a `Map`
 * by text.
 *
 * The newest entries are in a table: open addressing with linear probing, at most three quarters full. Only the newest
 * entries can be removed, so of two entries with the same hash the newer always comes later in the probe sequence. A full
 * table becomes a sorted run, so that no addition takes longer the more entries there are.
 */
export class HashIndex<Text extends string = Hash> {
  readonly #hashAt: (position: number) => Text | undefined
  #runs: Run[] = []
  /** Position of the first entry of the table. */
  #firstRecent = 0
  /** Entries in the table. */
  #recent = 0
  /** First four bytes of the hash of each entry in the table. */
  #tags = new Uint32Array(0.75 * FIRST_CAPACITY)
  /** The table: an index in `#tags` plus 1; 0 for a free slot. */
  #slots = new Uint16Array(FIRST_CAPACITY)
  /** Entries that the table has; a look-up adds the others, so that a run of which none was looked up needs no table. */
  #inserted = 0

  /** @param hashAt - Returns the hash at a position that was added and not removed; `undefined` if it is to be passed over. */
  constructor(hashAt: (position: number) => Text | undefined) {
    this.#hashAt = hashAt
  }

  /** Number of entries, and the position of the next. */
  get length(): number {
    return this.#firstRecent + this.#recent
  }

  /** Adds a hash at position {@link length}. It may already be in the index. */
  add(hash: Text): void {
    this.addTag(tagOf(hash))
  }

  /** Adds a hash of which only the {@link tagsOf | tag} is at hand. */
  addTag(tag: number): void {
    if (this.#recent === RUN) this.#sortTable()
    else if (this.#recent === this.#tags.length) {
      const tags = new Uint32Array(Math.min(RUN, 2 * this.#recent))
      tags.set(this.#tags)
      this.#tags = tags
    }
    this.#tags[this.#recent++] = tag
  }

  /**
   * The newest position of a hash.
   *
   * @param tag - With which it was added.
   */
  find(hash: Text, tag: number = tagOf(hash)): number | undefined {
    this.#insertAll()
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

  #findInRuns(hash: Text, tag: number): number | undefined {
    const bucket = bucketOf(tag)
    const half = tag & 0xffff
    for (let i = this.#runs.length - 1; i >= 0; i--) {
      const run = this.#runs[i] as Run
      const { starts, entries } = run
      const first = starts[bucket] as number
      for (let at = (starts[bucket + 1] as number) - 1; at >= first; at--) {
        if (entries[2 * at] !== half) continue
        const position = run.first + placeOf(run, at)
        if (this.#hashAt(position) === hash) return position
      }
    }
    return undefined
  }

  /** Removes all entries from position `length` on. */
  truncate(length: number): void {
    if (length >= this.#firstRecent) {
      const mask = this.#slots.length - 1
      this.#recent = length - this.#firstRecent
      for (; this.#inserted > this.#recent; this.#inserted--) {
        let slot = (this.#tags[this.#inserted - 1] as number) & mask
        while (this.#slots[slot] !== this.#inserted) slot = (slot + 1) & mask
        this.#slots[slot] = 0
      }
      return
    }
    const cut = this.#runs.findLastIndex(({ first }) => first <= length)
    const run = this.#runs[cut] as Run
    this.#runs.length = cut
    this.#firstRecent = run.first
    this.#empty()
    const inOrder = new Uint32Array(run.entries.length / 2)
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      for (let at = run.starts[bucket] as number; at < (run.starts[bucket + 1] as number); at++) {
        inOrder[placeOf(run, at)] = (bucket << 16) | (run.entries[2 * at] as number)
      }
    }
    for (const tag of inOrder.subarray(0, length - run.first)) this.addTag(tag)
  }

  /** Completes the table, in order of position. */
  #insertAll(): void {
    if (4 * this.#recent > 3 * this.#slots.length) {
      let capacity = 2 * this.#slots.length
      while (4 * this.#recent > 3 * capacity) capacity *= 2
      this.#slots = new Uint16Array(capacity)
      this.#inserted = 0
    }
    const mask = this.#slots.length - 1
    while (this.#inserted < this.#recent) {
      let slot = (this.#tags[this.#inserted++] as number) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = this.#inserted
    }
  }

  #empty(): void {
    this.#recent = 0
    this.#inserted = 0
    this.#tags = new Uint32Array(0.75 * FIRST_CAPACITY)
    this.#slots = new Uint16Array(FIRST_CAPACITY)
  }

  /** Turns the table, which has {@link RUN} entries, into a run. */
  #sortTable(): void {
    const tags = this.#tags
    const starts = new Uint16Array(BUCKETS + 1)
    for (let place = 0; place < RUN; place++) {
      const next = bucketOf(tags[place] as number) + 1
      starts[next] = (starts[next] as number) + 1
    }
    for (let bucket = 1; bucket <= BUCKETS; bucket++) {
      starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number)
    }
    const next = starts.slice()
    const entries = new Uint16Array(2 * RUN)
    for (let place = 0; place < RUN; place++) {
      const tag = tags[place] as number
      const at = next[bucketOf(tag)] as number
      next[bucketOf(tag)] = at + 1
      entries[2 * at] = tag
      entries[2 * at + 1] = place
    }
    let run: Run = { first: this.#firstRecent, starts, entries, parts: undefined }
    this.#firstRecent += RUN
    this.#empty()
    // Look-ups have few to look into.
    for (let older = this.#runs.at(-1); older && isWorthMerging(older, run); older = this.#runs.at(-1)) {
      run = merged(older, run)
      this.#runs.pop()
    }
    this.#runs.push(run)
  }
}

/** Each entry is merged a few times, not each time that a run is added. */
function isWorthMerging(older: Run, newer: Run): boolean {
  return partsOf(older) < ENOUGH_PARTS && partsOf(older) <= 2 * partsOf(newer)
}

/** One run instead of two, of which the second follows the first. */
function merged(older: Run, newer: Run): Run {
  const length = older.entries.length + newer.entries.length
  const starts = new Uint32Array(BUCKETS + 1)
  const entries = new Uint16Array(length)
  const parts = new Uint8Array(length / 2)
  let to = 0
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    for (const from of [older, newer]) {
      const end = from.starts[bucket + 1] as number
      for (let at = from.starts[bucket] as number; at < end; at++, to++) {
        entries[2 * to] = from.entries[2 * at] as number
        entries[2 * to + 1] = from.entries[2 * at + 1] as number
        parts[to] = (from.parts?.[at] ?? 0) + (from === newer ? partsOf(older) : 0)
      }
    }
    starts[bucket + 1] = to
  }
  return { first: older.first, starts, entries, parts }
}

function partsOf({ entries }: Run): number {
  return entries.length / (2 * RUN)
}

/** Position of an entry of a run, counted from the run's first. */
function placeOf({ entries, parts }: Run, at: number): number {
  return (entries[2 * at + 1] as number) + (parts ? RUN * (parts[at] as number) : 0)
}

/** What the index keeps of hashes that are bytes, one after the other: of each the first four. */
export function tagsOf(hashes: Uint8Array): Uint32Array {
  const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.length)
  return Uint32Array.from({ length: hashes.length / 32 }, (_, i) => view.getUint32(32 * i))
}

function tagOf(hash: string): number {
  return Number.parseInt(hash.slice(2, 10), 16)
}

function bucketOf(tag: number): number {
  return tag >>> 16
}
