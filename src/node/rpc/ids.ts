import type { Clock } from '#primitives/clock.ts'
import type { Hex } from '#primitives/hex.ts'

/** Ids of subscriptions or filters: the next is always the next number, and no node before this one has given it away. */
export class IdSequence {
  /** An id that a client kept from the node before this one must not meet a new subscription. */
  readonly #prefix: string
  #last = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#prefix = `0x${Math.floor(clock.now()).toString(16)}`
  }

  next(): Hex {
    return `${this.#prefix}${(++this.#last).toString(16).padStart(8, '0')}` as Hex
  }
}
