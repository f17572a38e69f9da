import { NumberList } from '#node/storage/number-list.ts'

/** How many of the keys that were added last are at hand. */
const RECENT = 4_096
/** Digits of the number that a block's key begins with, in base 16 and in lower case. */
const DIGITS = 8

/** How keys sort that are not in memory: of each the number that it begins with. Entries are counted in the order they came. */
export class KeyOrder {
  readonly #numbers = new NumberList()
  readonly #recent: string[] = []
  #last = ''
  /** Whether entries came in the order of their keys. */
  #isInOrder = true
  #areNumbered = true

  add(key: string): void {
    const number = leadingNumber(key)
    if (number === undefined) this.#areNumbered = false
    if (key < this.#last) this.#isInOrder = false
    this.#last = key
    this.#recent[this.#numbers.length % RECENT] = key
    this.#numbers.push(number ?? 0)
  }

  /** The key of an entry, if it is at hand. */
  recent(entry: number): string | undefined {
    return entry + RECENT >= this.#numbers.length ? this.#recent[entry % RECENT] : undefined
  }

  /**
   * Sorts entries by their keys (by UTF-16 code unit).
   *
   * @param entries - In the order they came.
   */
  sorted(entries: Uint32Array, keyAt: (entry: number) => string): Uint32Array {
    if (this.#isInOrder) return entries
    if (!this.#areNumbered) return sortedByKey(entries, keyAt)
    const byNumber = BigUint64Array.from(
      { length: entries.length },
      (_, i) => (BigInt(this.#numbers.at(entries[i] as number)) << 32n) | BigInt(entries[i] as number),
    ).sort()
    const sorted = Uint32Array.from({ length: entries.length }, (_, i) =>
      Number(BigInt.asUintN(32, byNumber[i] as bigint)),
    )
    // Few blocks have the same number.
    for (let from = 0; from < sorted.length; ) {
      const number = this.#numbers.at(sorted[from] as number)
      let to = from + 1
      while (to < sorted.length && this.#numbers.at(sorted[to] as number) === number) to++
      if (to > from + 1) sorted.set(sortedByKey(sorted.subarray(from, to), keyAt), from)
      from = to
    }
    return sorted
  }
}

/** Has all the keys in memory for that. */
export function sortedByKey(entries: Uint32Array, keyAt: (entry: number) => string): Uint32Array {
  const keyed = Array.from(entries, (entry) => ({ entry, key: keyAt(entry) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return Uint32Array.from(keyed, ({ entry }) => entry)
}

function leadingNumber(key: string): number | undefined {
  const digits = key.slice(0, DIGITS)
  return /^[0-9a-f]{8}$/.test(digits) ? Number.parseInt(digits, 16) : undefined
}
