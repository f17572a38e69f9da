/**
 * When answers over HTTP are written. With several clients, those of one round of the event loop are written one right
 * after the other: a client in another process that is woken by each of them alone costs the server as much as a request.
 */
export class AnswerRounds {
  #clients = 0
  #round: Promise<void> | undefined

  /** One more client has a connection. */
  join(): void {
    this.#clients++
  }

  leave(): void {
    this.#clients--
  }

  /** `undefined` if an answer may be written at once, otherwise the end of the round. */
  next(): Promise<void> | undefined {
    if (this.#clients < 2) return undefined
    this.#round ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#round = undefined
        resolve()
      })
    })
    return this.#round
  }
}
