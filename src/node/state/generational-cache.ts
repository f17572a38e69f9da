/**
 * A map that evicts old entries. It keeps at least the most recently used entries up to a total weight of `capacity`,
 * and at most twice that, unless a single entry weighs more.
 */
export class GenerationalCache<K, V> {
  #young = new Map<K, V>()
  #old = new Map<K, V>()
  /** Weight of the young entries. */
  #weight = 0
  readonly #capacity: number
  readonly #weigh: (value: V) => number

  /** @param weigh - What an entry weighs; by default 1, so that the capacity is a number of entries. */
  constructor(capacity: number, weigh: (value: V) => number = () => 1) {
    this.#capacity = capacity
    this.#weigh = weigh
  }

  /** Number of entries. */
  get size(): number {
    let size = this.#young.size
    for (const key of this.#old.keys()) if (!this.#young.has(key)) size++
    return size
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    const replaced = this.#young.get(key)
    if (replaced !== undefined) this.#weight -= this.#weigh(replaced)
    this.#young.set(key, value)
    this.#weight += this.#weigh(value)
    if (this.#weight <= this.#capacity) return
    this.#old = this.#young
    this.#young = new Map()
    this.#weight = 0
  }
}
