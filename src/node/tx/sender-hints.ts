/** How many runs of nonces are remembered. */
const MAX_OPEN = 64

/** Transactions with consecutive nonces, probably from one sender. */
interface NonceRun {
  readonly hint: number
  next: bigint
}

/**
 * Guesses which transactions have the same sender, before their signatures are recovered: those with consecutive
 * nonces. If a nonce continues several runs, the one that has waited longest gets it, which is right if senders
 * alternate.
 */
export class SenderHints {
  /** Ordered by last use; the most recent one is at the end. */
  readonly #open: NonceRun[] = []
  #count = 0

  /** A hint below 2^32, shared by transactions that are probably from the same sender. */
  next(nonce: bigint): number {
    const at = this.#open.findIndex(({ next }) => next === nonce)
    const run = (at === -1 ? undefined : this.#open.splice(at, 1)[0]) ?? this.#begin()
    run.next = nonce + 1n
    this.#open.push(run)
    return run.hint
  }

  #begin(): NonceRun {
    if (this.#open.length === MAX_OPEN) this.#open.shift()
    this.#count = (this.#count + 1) >>> 0
    return { hint: this.#count, next: 0n }
  }
}
