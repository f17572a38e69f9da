import type { FakeParticipant } from '#testing/transport/fake-channels.ts'
import type { LocksLike } from '#worker/chain/election.ts'

interface Request {
  readonly owner: FakeParticipant
  readonly hold: () => Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/** The Web Locks of an origin; all exclusive. */
export class FakeLocks {
  readonly #held = new Map<string, Request>()
  readonly #waiting = new Map<string, Request[]>()

  /** Names of the locks that a worker holds or waits for. */
  namesOf(owner: FakeParticipant): readonly string[] {
    const held = [...this.#held].filter(([, request]) => request.owner === owner)
    const waiting = [...this.#waiting].filter(([, queue]) => queue.some((request) => request.owner === owner))
    return [...held, ...waiting].map(([name]) => name)
  }

  /** The locks as one worker sees them. */
  of(owner: FakeParticipant): LocksLike {
    return {
      request: (name, { signal, steal }, hold) =>
        new Promise<void>((resolve, reject) => {
          const request: Request = { owner, hold, resolve, reject }
          const abort = () => new DOMException('aborted', 'AbortError')
          if (signal?.aborted) return reject(abort())
          signal?.addEventListener('abort', () => {
            if (this.#remove(name, request)) reject(abort())
          })
          if (steal) {
            const robbed = this.#held.get(name)
            this.#held.delete(name)
            robbed?.owner.receive(() => robbed.reject(abort()))
            this.#grant(name, request)
          } else {
            this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), request])
            this.#next(name)
          }
        }),
    }
  }

  /** Releases all locks of a worker that has ended. */
  release(owner: FakeParticipant): void {
    for (const [name, queue] of this.#waiting) {
      this.#waiting.set(
        name,
        queue.filter((request) => request.owner !== owner),
      )
    }
    for (const [name, request] of [...this.#held]) {
      if (request.owner !== owner) continue
      this.#held.delete(name)
      this.#next(name)
    }
  }

  #remove(name: string, request: Request): boolean {
    const queue = this.#waiting.get(name) ?? []
    this.#waiting.set(
      name,
      queue.filter((other) => other !== request),
    )
    return queue.includes(request)
  }

  #next(name: string): void {
    const [first, ...rest] = this.#waiting.get(name) ?? []
    if (!first || this.#held.has(name)) return
    this.#waiting.set(name, rest)
    this.#grant(name, first)
  }

  #grant(name: string, request: Request): void {
    this.#held.set(name, request)
    const run = async () => {
      await request.hold()
      request.resolve()
      if (this.#held.get(name) !== request) return
      this.#held.delete(name)
      this.#next(name)
    }
    queueMicrotask(() => request.owner.receive(() => void run()))
  }
}
