import type { PortEvent, PortLike } from './messages.ts'

/** How many messages are posted together. More would keep the receiver's thread from its timers for too long. */
const TOGETHER = 32

/**
 * A port that batches the messages of one task, since each message costs its receiver a task of its own. Both ends must
 * be such ports. Batching delays nothing and keeps the order.
 */
export function gatherPort(port: PortLike): PortLike {
  let gathered: unknown[] = []

  function flush(): void {
    if (gathered.length === 0) return
    const messages = gathered
    gathered = []
    // A single message is sent as it is; no message is itself an array.
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

/** A failing handler does not hold up other messages; the host sees an unhandled rejection. */
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
