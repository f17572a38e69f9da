import type { Clock } from '#primitives/clock.ts'

/** A value that many ask for and that is slow to make: it is made once, and all get it until it is too old. */
export class KeptValues<Value> {
  readonly #clock: Pick<Clock, 'now'>
  readonly #keptMs: number
  readonly #make: () => Value
  #latest: { readonly at: number; readonly value: Value } | undefined

  /** @param keptMs - Milliseconds after which it is made again. */
  constructor(clock: Pick<Clock, 'now'>, keptMs: number, make: () => Value) {
    this.#clock = clock
    this.#keptMs = keptMs
    this.#make = make
  }

  get value(): Value {
    const now = this.#clock.now()
    if (!this.#latest || now - this.#latest.at >= this.#keptMs) this.#latest = { at: now, value: this.#make() }
    return this.#latest.value
  }
}
