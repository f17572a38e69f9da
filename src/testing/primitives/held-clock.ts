import { setImmediate } from 'node:timers/promises'
import { FakeClock } from './fake-clock.ts'

/** A clock whose yields return only when a test allows it. */
export class HeldClock extends FakeClock {
  readonly #yielding: (() => void)[] = []

  override yield(): Promise<void> {
    return new Promise((resolve) => this.#yielding.push(resolve))
  }

  /** Resumes everything that has yielded so far, and waits until it yields again. */
  async handOver(): Promise<void> {
    for (const resolve of this.#yielding.splice(0)) resolve()
    await setImmediate()
  }
}
