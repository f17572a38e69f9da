import { type HelperEvents, type HelperThread, READY, recoveryAnswers } from '#node/crypto/recovery-helpers.ts'

/** A helper that does something only when it is told to. */
export class FakeThread implements HelperThread {
  readonly #events: HelperEvents
  readonly #asked: Uint8Array[] = []
  readonly #answer = recoveryAnswers()
  stopped = false

  constructor(events: HelperEvents) {
    this.#events = events
  }

  /** Number of questions that wait for an answer. */
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
