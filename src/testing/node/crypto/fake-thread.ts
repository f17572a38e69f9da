import { type HelperEvents, type HelperThread, READY, recoveryAnswers } from '#node/crypto/recovery-helpers.ts'

/** A helper thread that answers only when the test says so. */
export class FakeThread implements HelperThread {
  readonly #events: HelperEvents
  readonly #asked: Uint8Array[] = []
  readonly #answer = recoveryAnswers()
  stopped = false

  constructor(events: HelperEvents) {
    this.#events = events
  }

  /** Number of unanswered questions. */
  get asked(): number {
    return this.#asked.length
  }

  start(): void {
    this.#events.message(READY)
  }

  /** Answers the oldest question. */
  answer(): void {
    const message = this.#asked.shift()
    if (message === undefined) throw new Error('nobody has asked')
    this.#events.message(this.#answer(message))
  }

  fail(reason: unknown): void {
    this.#events.failed(reason)
  }

  post(message: Uint8Array): void {
    this.#asked.push(message.slice())
  }

  stop(): void {
    this.stopped = true
  }
}
