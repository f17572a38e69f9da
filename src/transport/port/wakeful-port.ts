import type { Clock } from '#primitives/clock.ts'
import type { PortEvent, PortLike } from './messages.ts'

/** The thread stays awake if the answer, and then the next call, each take at most this many milliseconds. */
const SOON_MS = 0.4

/**
 * A port whose thread stays awake between small calls that follow each other at once, since waking a thread takes
 * longer than answering such a call. Rarer or longer calls cost nothing.
 */
export function wakefulPort(port: PortLike, clock: Pick<Clock, 'now' | 'yield'>): PortLike {
  let postedAt = Number.NEGATIVE_INFINITY
  /** When a message last came soon after an answer. */
  let askedAgainAt = Number.NEGATIVE_INFINITY
  let awake = false

  async function stayAwake(): Promise<void> {
    if (awake) return
    awake = true
    while (clock.now() - postedAt < SOON_MS) await clock.yield()
    awake = false
  }

  return {
    postMessage(message, transfer) {
      port.postMessage(message, transfer)
      postedAt = clock.now()
      if (postedAt - askedAgainAt < SOON_MS) void stayAwake()
    },
    set onmessage(handler: ((event: never) => void) | null) {
      port.onmessage =
        handler &&
        ((event: PortEvent<unknown>) => {
          const now = clock.now()
          if (now - postedAt < SOON_MS) askedAgainAt = now
          handler(event as never)
        })
    },
    set onmessageerror(handler: ((event: never) => void) | null) {
      port.onmessageerror = handler
    },
  }
}
