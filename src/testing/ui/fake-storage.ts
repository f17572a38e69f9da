/** `localStorage` with room for a given number of characters. */
export class FakeStorage implements Storage {
  readonly #items = new Map<string, string>()
  readonly #room: number

  constructor(room = Number.POSITIVE_INFINITY) {
    this.#room = room
  }
  get length(): number {
    return this.#items.size
  }
  key(position: number): string | null {
    return [...this.#items.keys()][position] ?? null
  }
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    const others = [...this.#items].reduce((sum, [other, text]) => sum + (other === key ? 0 : text.length), 0)
    if (others + value.length > this.#room) throw new DOMException('no room', 'QuotaExceededError')
    this.#items.set(key, value)
  }
  removeItem(key: string): void {
    this.#items.delete(key)
  }
  clear(): void {
    this.#items.clear()
  }
}
