/** An item of an {@link UnorderedList}, which knows its place. */
export interface Listed {
  /** Place in the list that it is in; it is in one at most. */
  place: number
}

/** The place of an item that is in no list. */
export const NOWHERE = -1

/**
 * Items in no order; one comes or goes in the same time, however many there are. For what comes and goes with every
 * request: of a `Set` V8 makes another table, among the old objects, each time that the last item goes.
 */
export class UnorderedList<Item extends Listed> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  /** All items at present: they may go meanwhile. */
  all(): readonly Item[] {
    return [...this.#items]
  }

  /** @param item - In no list. */
  add(item: Item): void {
    item.place = this.#items.push(item) - 1
  }

  /** Does nothing if it is not there. */
  delete(item: Item): void {
    const { place } = item
    if (this.#items[place] !== item) return
    item.place = NOWHERE
    const last = this.#items.pop() as Item
    if (last === item) return
    this.#items[place] = last
    last.place = place
  }
}
