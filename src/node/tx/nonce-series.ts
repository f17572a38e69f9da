/** Series that may be continued. */
const MAX_OPEN = 64

interface Series {
  readonly id: number
  next: bigint
}

/**
 * Guesses which transactions are of the same sender: those whose nonces follow each other. Of several that one might
 * continue it is the one that has waited longest, as is right where senders take turns.
 */
export class NonceSeries {
  /** The one that was continued last at the end. */
  readonly #open: Series[] = []
  #count = 0

  /** The number of the series that a transaction is thought to continue, or else begins: below 2^32. */
  next(nonce: bigint): number {
    const at = this.#open.findIndex(({ next }) => next === nonce)
    const [series = this.#begin()] = at === -1 ? [] : this.#open.splice(at, 1)
    series.next = nonce + 1n
    this.#open.push(series)
    return series.id
  }

  #begin(): Series {
    if (this.#open.length === MAX_OPEN) this.#open.shift()
    this.#count = (this.#count + 1) >>> 0
    return { id: this.#count, next: 0n }
  }
}
