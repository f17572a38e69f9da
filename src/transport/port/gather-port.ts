import type { PortEvent, PortLike } from './messages.ts'

/** Messages that are posted together: more of them would keep the receiver's thread from its timers for long. */
const TOGETHER = 32

/**
 * A port that posts together what one task posts: however small a message is, it costs its receiver a task of its own.
 * Both ends have to be such ports. Nothing comes later for it, and the order stays.
 */
export function gatherPort(port: PortLike): PortLike {
  let gathered: unknown[] = []

  function flush(): void {
    if (gathered.length === 0) return
    const messages = gathered
    gathered = []
    // One alone goes as it is; no message of a port is a list.
    port.postMessage(messages.length === 1 ? messages[0] : messages)
  }

  return {
    postMessage(message, transfer) {
      if (transfer !== undefined) {
        flush()
        port.postMessage(message, transfer)
        return
      }
      if (gathered.length === 0) void Promise.resolve().then(flush)
      gathered.push(message)
      if (gathered.length === TOGETHER) flush()
    },
    set onmessage(handler: ((event: never) => void) | null) {
      port.onmessage = handler && ((event: PortEvent<unknown>) => deliver(event.data, handler))
    },
    set onmessageerror(handler: ((event: never) => void) | null) {
      port.onmessageerror = handler
    },
  }
}

/** A message that cannot be handled does not keep the others back; the host sees it as an unhandled rejection. */
function deliver(data: unknown, handler: (event: never) => void): void {
  if (!Array.isArray(data)) return handler({ data } as never)
  for (const message of data as readonly unknown[]) {
    try {
      handler({ data: message } as never)
    } catch (error) {
      void Promise.reject(error)
    }
  }
}
