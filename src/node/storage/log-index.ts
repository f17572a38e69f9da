import { BLOOM_BITS, hasBloomBit } from '../evm/bloom.ts'
import { NumberList } from './number-list.ts'

/** Blocks of a section: the bits of a number. */
const SECTION = 32
/**
 * Values up to which one of several is looked for; of more the blooms do not tell much, and looking takes time for each.
 */
const MOST_ALTERNATIVES = 64

/** What a block's logs must have: of each list one value, by the bits that it sets in a bloom. */
export type BloomQuery = readonly (readonly (readonly number[])[])[]

/**
 * The blooms of the blocks that have logs, turned: for each bit of a bloom one number that tells which blocks of a section
 * set it. A query reads three numbers for each value and section, so that blocks that cannot match cost next to nothing, and
 * blocks without logs nothing. An entry takes the bytes of its bloom.
 */
export class LogIndex {
  /** For each entry the place of its block, in order. */
  readonly #places = new NumberList()
  readonly #sections: Uint32Array[] = []

  /** Adds a block behind all others. */
  add(place: number, bloom: Uint8Array): void {
    const entry = this.#places.length
    const shift = entry % SECTION
    if (shift === 0) this.#sections.push(new Uint32Array(BLOOM_BITS))
    const section = this.#sections[this.#sections.length - 1] as Uint32Array
    for (let bit = 0; bit < BLOOM_BITS; bit++) {
      if (hasBloomBit(bloom, bit)) section[bit] = (section[bit] as number) | (1 << shift)
    }
    this.#places.push(place)
  }

  /** Removes the blocks from a place on. */
  truncate(place: number): void {
    const kept = this.#places.firstFrom(place)
    this.#places.truncate(kept)
    this.#sections.length = Math.ceil(kept / SECTION)
    const last = kept % SECTION
    if (last === 0) return
    const section = this.#sections[this.#sections.length - 1] as Uint32Array
    const mask = (1 << last) - 1
    for (let bit = 0; bit < BLOOM_BITS; bit++) section[bit] = (section[bit] as number) & mask
  }

  /** The places, of the given ones and of those between, whose logs may match; all that do are among them. */
  find(from: number, to: number, query: BloomQuery): number[] {
    const certain = query.filter(({ length }) => length <= MOST_ALTERNATIVES)
    const end = this.#places.firstFrom(to + 1)
    const found: number[] = []
    for (let entry = this.#places.firstFrom(from); entry < end; ) {
      const start = entry - (entry % SECTION)
      const next = Math.min(end, start + SECTION)
      const matches = matchesOf(this.#sections[start / SECTION] as Uint32Array, certain)
      if (matches !== 0) {
        for (; entry < next; entry++) {
          if ((matches & (1 << (entry % SECTION))) !== 0) found.push(this.#places.at(entry))
        }
      }
      entry = next
    }
    return found
  }
}

/** Which blocks of a section may match, a bit for each. */
function matchesOf(section: Uint32Array, query: BloomQuery): number {
  let matches = -1
  for (const alternatives of query) {
    let any = 0
    for (const bits of alternatives) {
      let all = matches
      for (const bit of bits) all &= section[bit] as number
      any |= all
    }
    matches &= any
    if (matches === 0) return 0
  }
  return matches
}
