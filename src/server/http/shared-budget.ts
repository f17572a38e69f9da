/** Bytes that one holder has of a {@link SharedBudget}. */
export interface Share {
  /** Takes more bytes, or gives some back where `bytes` is negative. */
  add(bytes: number): void
  /** Gives all of them back. */
  end(): void
}

interface Holder {
  bytes: number
  /** Whether it was dropped or has left the budget. */
  ended: boolean
  readonly giveUp: () => void
}

/**
 * Memory that all connections of the server share. When they exceed the limit, one is dropped: among the holders of
 * at least half an average share, the one that has held something for longest. Quick or small holders are
 * spared.
 */
export class SharedBudget {
  readonly #limit: number
  /** Current holders, the oldest first. */
  readonly #holders = new Set<Holder>()
  #total = 0

  /** @param limit - In bytes. A single holder may have more. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes that are held at present. */
  get total(): number {
    return this.#total
  }

  /** @param giveUp - Called at most once, when this holder is dropped; its share has already ended. */
  open(giveUp: () => void): Share {
    const holder: Holder = { bytes: 0, ended: false, giveUp }
    return {
      add: (bytes) => {
        if (holder.ended) return
        this.#total += bytes
        holder.bytes += bytes
        if (holder.bytes === 0) this.#holders.delete(holder)
        else this.#holders.add(holder)
        while (this.#total > this.#limit && this.#holders.size > 1) this.#evict()
      },
      end: () => this.#end(holder),
    }
  }

  #end(holder: Holder): void {
    holder.ended = true
    this.#total -= holder.bytes
    holder.bytes = 0
    this.#holders.delete(holder)
  }

  #evict(): void {
    const enough = this.#total / this.#holders.size / 2
    for (const holder of this.#holders) {
      if (holder.bytes < enough) continue
      this.#end(holder)
      holder.giveUp()
      return
    }
  }
}
