/** A map that forgets: it keeps at least the newest `capacity` entries in use, and never more than twice as many. */
export class GenerationalCache<K, V> {
  #young = new Map<K, V>()
  #old = new Map<K, V>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
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
    this.#young.set(key, value)
    if (this.#young.size <= this.#capacity) return
    this.#old = this.#young
    this.#young = new Map()
  }
}
