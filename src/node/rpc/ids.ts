import type { Clock } from '#primitives/clock.ts'
import type { Hex } from '#primitives/hex.ts'

/** Ids of subscriptions or filters. They count up, and never repeat an id of an earlier node. */
export class IdSequence {
  /** Distinguishes this node's ids, since a client's old id must not match a new subscription. */
  readonly #prefix: string
  #last = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#prefix = `0x${Math.floor(clock.now()).toString(16)}`
  }

  next(): Hex {
    return `${this.#prefix}${(++this.#last).toString(16).padStart(8, '0')}` as Hex
  }
}
