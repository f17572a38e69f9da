/** Memory that several holders may have. It counts once in a budget, for as long as one has it. */
export interface SharedMemory {
  /** In bytes. */
  readonly size: number
  /** How many have it: the budget counts them. */
  holders: number
}

/** Bytes that one holder has of a {@link SharedBudget}. */
export interface BudgetShare {
  /** Takes more bytes, or gives some back where `bytes` is negative. */
  add(bytes: number): void
  /** Takes memory that others may have, too. */
  hold(memory: SharedMemory): void
  /** Gives back what it took with {@link hold}, also if it was dropped or has ended. */
  release(memory: SharedMemory): void
  /** Gives back all that it took with {@link add}. */
  end(): void
}

/** Bytes that it takes to have shared memory. */
const HOLD_BYTES = 32

interface Holder {
  /** Bytes of its own. */
  bytes: number
  /** Bytes of the memory that it shares. */
  sharedBytes: number
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

  /**
   * @param giveUp - Called at most once, when this holder is dropped; its share has already ended, but for shared memory,
   * which it has to release.
   */
  open(giveUp: () => void): BudgetShare {
    const holder: Holder = { bytes: 0, sharedBytes: 0, ended: false, giveUp }
    return {
      add: (bytes) => this.#add(holder, bytes),
      hold: (memory) => {
        if (memory.holders++ === 0) this.#total += memory.size
        holder.sharedBytes += memory.size
        this.#add(holder, HOLD_BYTES)
      },
      release: (memory) => {
        if (--memory.holders === 0) this.#total -= memory.size
        holder.sharedBytes -= memory.size
        this.#add(holder, -HOLD_BYTES)
      },
      end: () => this.#end(holder),
    }
  }

  #add(holder: Holder, bytes: number): void {
    if (holder.ended) return
    this.#total += bytes
    holder.bytes += bytes
    if (holder.bytes === 0) this.#holders.delete(holder)
    else this.#holders.add(holder)
    while (this.#total > this.#limit && this.#holders.size > 1) this.#evict()
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
      // With shared memory they have more in sum than the total, so one always has enough.
      if (holder.bytes + holder.sharedBytes < enough) continue
      this.#end(holder)
      holder.giveUp()
      return
    }
  }
}
