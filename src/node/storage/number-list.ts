/** Numbers of a page. */
const PAGE = 4_096

/** A growing list of 32-bit numbers, of four bytes each. */
export class NumberList {
  #pages: Uint32Array[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The number at an index that the list has. */
  at(index: number): number {
    return (this.#pages[Math.floor(index / PAGE)] as Uint32Array)[index % PAGE] as number
  }

  set(index: number, value: number): void {
    ;(this.#pages[Math.floor(index / PAGE)] as Uint32Array)[index % PAGE] = value
  }

  push(value: number): void {
    if (this.#length % PAGE === 0) this.#pages.push(new Uint32Array(PAGE))
    this.set(this.#length++, value)
  }

  /** Removes the numbers from an index on. */
  truncate(length: number): void {
    this.#pages.length = Math.ceil(length / PAGE)
    this.#length = length
  }

  /** Index of the first number that is at least so high; the list is in order. */
  firstFrom(least: number): number {
    let low = 0
    for (let high = this.#length; low < high; ) {
      const middle = (low + high) >>> 1
      if (this.at(middle) < least) low = middle + 1
      else high = middle
    }
    return low
  }
}
