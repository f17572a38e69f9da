import { setImmediate } from 'node:timers/promises'
import { FakeClock } from './fake-clock.ts'

/** A clock whose thread is handed over when a test says so. */
export class HeldClock extends FakeClock {
  readonly #yielding: (() => void)[] = []

  override yield(): Promise<void> {
    return new Promise((resolve) => this.#yielding.push(resolve))
  }

  /** Lets all go on that have yielded so far, and waits until they yield again. */
  async handOver(): Promise<void> {
    for (const resolve of this.#yielding.splice(0)) resolve()
    await setImmediate()
  }
}
