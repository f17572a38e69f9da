/** The part of `LockManager` that is used here. */
export interface LocksLike {
  request(
    name: string,
    options: { readonly signal?: AbortSignal; readonly steal?: boolean },
    hold: () => Promise<void>,
  ): Promise<unknown>
}

export interface CandidateOptions {
  readonly locks: LocksLike
  readonly lockName: string
  /** The lock is held from now on. */
  readonly onElected: () => void
  /** Somebody stole the lock. */
  readonly onDeposed: () => void
  /** The browser denies locks altogether. */
  readonly onFailure: (error: unknown) => void
}

interface Attempt {
  readonly abort: AbortController
  release?: () => void
}

/** A candidate for the lock that only one worker can hold: its holder leads. */
export class Candidate {
  readonly #options: CandidateOptions
  #attempt: Attempt | undefined

  constructor(options: CandidateOptions) {
    this.#options = options
  }

  /** Waits for the lock. */
  stand(): void {
    this.#request(false)
  }

  /** Takes the lock from its holder. */
  steal(): void {
    this.#request(true)
  }

  /** Releases the lock, or stops waiting for it. */
  withdraw(): void {
    const attempt = this.#attempt
    this.#attempt = undefined
    attempt?.release?.()
    attempt?.abort.abort()
  }

  #request(steal: boolean): void {
    this.withdraw()
    const attempt: Attempt = { abort: new AbortController() }
    this.#attempt = attempt
    const hold = () => {
      // The lock was granted just as it was no longer wanted.
      if (this.#attempt !== attempt) return Promise.resolve()
      const held = new Promise<void>((resolve) => {
        attempt.release = resolve
      })
      this.#options.onElected()
      return held
    }
    // The browser does not accept a signal together with `steal`.
    const options = steal ? { steal } : { signal: attempt.abort.signal }
    this.#options.locks.request(this.#options.lockName, options, hold).catch((error: unknown) => {
      // A withdrawn attempt is ignored.
      if (this.#attempt !== attempt) return
      this.#attempt = undefined
      if (attempt.release) this.#options.onDeposed()
      else this.#options.onFailure(error)
    })
  }
}
