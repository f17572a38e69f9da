import type { Clock } from '#primitives/clock.ts'
import type { PortEvent, PortLike } from './messages.ts'

/** Milliseconds that one who asks again at once, and what is asked for, take at most. */
const SOON_MS = 0.4

/**
 * A port whose thread does not fall asleep between the small calls of one who calls again as soon as it is answered: to
 * wake a thread takes longer than such an answer. Whoever calls less often, or asks for more, costs nothing.
 */
export function wakefulPort(port: PortLike, clock: Pick<Clock, 'now' | 'yield'>): PortLike {
  let postedAt = Number.NEGATIVE_INFINITY
  /** When a message came soon after one that was posted. */
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
