import { BLOOM_BITS, hasBloomBit } from '../evm/bloom.ts'
import { NumberList } from './number-list.ts'

/** Blocks of a section: the bits of a number. */
const SECTION = 32
/**
 * Values up to which one of several is looked for; of more the blooms do not tell much, and looking takes time for each.
 */
const MOST_ALTERNATIVES = 64

/** Numbers up to which a section is worth packing. */
const MOST_PACKED = 1_500
/** Where a packed section has its counts and its numbers. */
const COUNTS = BLOOM_BITS / 32
const NUMBERS = COUNTS + COUNTS / 2

/** What a block's logs must have: of each list one value, by the bits that it sets in a bloom. */
export type BloomQuery = readonly (readonly (readonly number[])[])[]

/**
 * The blooms of the blocks that have logs, turned: for each bit of a bloom one number that tells which blocks of a section
 * set it. A query reads three numbers for each value and section, so that blocks that cannot match cost next to nothing, and
 * blocks without logs nothing. An entry takes at most the bytes of its bloom. Of a few logs most bits are not set in any
 * of a section's blocks: a section that is complete has only the others' numbers.
 */
export class LogIndex {
  /** For each entry the place of its block, in order. */
  readonly #places = new NumberList()
  readonly #sections: Uint32Array[] = []

  /** Adds a block behind all others. */
  add(place: number, bloom: Uint8Array): void {
    const entry = this.#places.length
    const shift = entry % SECTION
    if (shift === 0) {
      if (entry > 0) this.#sections.push(packed(this.#sections.pop() as Uint32Array))
      this.#sections.push(new Uint32Array(BLOOM_BITS))
    }
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
    const mask = (1 << last) - 1
    const section = this.#sections.pop() as Uint32Array
    const isPacked = section.length < BLOOM_BITS
    this.#sections.push(
      Uint32Array.from(
        { length: BLOOM_BITS },
        (_, bit) => (isPacked ? numberOf(section, bit) : (section[bit] as number)) & mask,
      ),
    )
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

/**
 * Only the numbers that are not 0, behind a bit for each number that tells which these are, and, for each 32 of the bits,
 * how many there are before them, in 16 bits.
 */
function packed(section: Uint32Array): Uint32Array {
  const numbers = section.filter((number) => number !== 0)
  if (numbers.length > MOST_PACKED) return section
  const result = new Uint32Array(NUMBERS + numbers.length)
  result.set(numbers, NUMBERS)
  let count = 0
  for (let bit = 0; bit < BLOOM_BITS; bit++) {
    const word = bit >> 5
    if (bit % 32 === 0)
      result[COUNTS + (word >> 1)] = (result[COUNTS + (word >> 1)] as number) | (count << (16 * (word & 1)))
    if (section[bit] === 0) continue
    result[word] = (result[word] as number) | (1 << bit)
    count++
  }
  return result
}

/** Which blocks of a packed section set a bit. */
function numberOf(section: Uint32Array, bit: number): number {
  const word = bit >> 5
  const set = section[word] as number
  if ((set & (1 << bit)) === 0) return 0
  const before = ((section[COUNTS + (word >> 1)] as number) >>> (16 * (word & 1))) & 0xffff
  return section[NUMBERS + before + countBits(set & ((1 << bit) - 1))] as number
}

/** Which blocks of a section may match, a bit for each. */
function matchesOf(section: Uint32Array, query: BloomQuery): number {
  const isPacked = section.length < BLOOM_BITS
  let matches = -1
  for (const alternatives of query) {
    let any = 0
    for (const bits of alternatives) {
      let all = matches
      for (const bit of bits) {
        all &= isPacked ? numberOf(section, bit) : (section[bit] as number)
        if (all === 0) break
      }
      any |= all
    }
    matches &= any
    if (matches === 0) return 0
  }
  return matches
}

/** How many of 32 bits are set. */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555)
  const nibbles = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
