/**
 * A binary heap that knows where its items are, so that moving or removing one takes O(log n). Items are compared by
 * identity.
 */
export class Heap<Item> {
  readonly #items: Item[]
  readonly #positions = new Map<Item, number>()
  readonly #compare: (a: Item, b: Item) => number

  /**
   * Builds the heap in O(n).
   *
   * @param compare - Below 0 if `a` comes out before `b`.
   */
  constructor(compare: (a: Item, b: Item) => number, items: Iterable<Item> = []) {
    this.#compare = compare
    this.#items = [...new Set(items)]
    for (const [position, item] of this.#items.entries()) this.#positions.set(item, position)
    for (let position = (this.#items.length >> 1) - 1; position >= 0; position--) this.#sink(position)
  }

  get size(): number {
    return this.#items.length
  }

  /** The first item, without removing it. */
  peek(): Item | undefined {
    return this.#items[0]
  }

  /** Removes and returns the first item. */
  pop(): Item | undefined {
    const first = this.#items[0]
    if (first !== undefined) this.remove(first)
    return first
  }

  /** Adds the item, or moves it to its new place after a change. */
  put(item: Item): void {
    const position = this.#positions.get(item)
    if (position === undefined) {
      this.#items.push(item)
      this.#positions.set(item, this.#items.length - 1)
      this.#rise(this.#items.length - 1)
    } else if (!this.#rise(position)) this.#sink(position)
  }

  /** Removes the item, if it is there. */
  remove(item: Item): void {
    const position = this.#positions.get(item)
    if (position === undefined) return
    const last = this.#items.pop() as Item
    this.#positions.delete(item)
    if (last === item) return
    this.#place(last, position)
    if (!this.#rise(position)) this.#sink(position)
  }

  #place(item: Item, position: number): void {
    this.#items[position] = item
    this.#positions.set(item, position)
  }

  /** @returns Whether the item moved. */
  #rise(start: number): boolean {
    const item = this.#items[start] as Item
    let position = start
    while (position > 0) {
      const parent = (position - 1) >> 1
      const above = this.#items[parent] as Item
      if (this.#compare(item, above) >= 0) break
      this.#place(above, position)
      position = parent
    }
    if (position === start) return false
    this.#place(item, position)
    return true
  }

  #sink(start: number): void {
    const item = this.#items[start] as Item
    let position = start
    for (;;) {
      let child = 2 * position + 1
      if (child >= this.#items.length) break
      const right = child + 1
      if (right < this.#items.length && this.#compare(this.#items[right] as Item, this.#items[child] as Item) < 0)
        child = right
      const below = this.#items[child] as Item
      if (this.#compare(item, below) <= 0) break
      this.#place(below, position)
      position = child
    }
    if (position !== start) this.#place(item, position)
  }
}
