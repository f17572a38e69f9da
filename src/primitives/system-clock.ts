import type { Clock } from './clock.ts'

/** Functions that every JavaScript host has; passed in, so that this room needs neither DOM nor Node types. */
export interface TimerHost {
  readonly performance: { readonly timeOrigin: number; now(): number }
  setTimeout(callback: () => void, delayMs: number): unknown
  clearTimeout(handle: never): void
  /** Node.js has it. */
  setImmediate?(callback: () => void): unknown
  readonly MessageChannel: new () => {
    readonly port1: { onmessage: ((event: never) => void) | null }
    readonly port2: { postMessage(message: unknown): void }
  }
}

/** The host's monotonic clock on the Unix epoch, with timers rounded up to whole milliseconds. */
export function createSystemClock(host: TimerHost): Clock {
  return {
    now: () => host.performance.timeOrigin + host.performance.now(),
    schedule(callback, delayMs) {
      const handle = host.setTimeout(() => void callback(), Math.max(0, Math.ceil(delayMs)))
      return () => host.clearTimeout(handle as never)
    },
    yield: host.setImmediate
      ? () => new Promise((resolve) => host.setImmediate?.(resolve))
      : yieldByMessages(new host.MessageChannel()),
  }
}

/** A message to oneself comes after what has arrived by now. An open channel would keep Node.js from ending. */
function yieldByMessages({ port1, port2 }: InstanceType<TimerHost['MessageChannel']>): Clock['yield'] {
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      port2.postMessage(null)
    })
}
