import type { Clock } from './clock.ts'

/** What every JavaScript host offers; passed in, so that this room needs neither DOM nor Node types. */
export interface TimerHost {
  readonly performance: { readonly timeOrigin: number; now(): number }
  setTimeout(callback: () => void, delayMs: number): unknown
  clearTimeout(handle: never): void
  readonly MessageChannel: new () => {
    readonly port1: { onmessage: ((event: never) => void) | null; close(): void }
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
    yield: () =>
      new Promise((resolve) => {
        const { port1, port2 } = new host.MessageChannel()
        port1.onmessage = () => {
          port1.close()
          resolve()
        }
        port2.postMessage(null)
      }),
  }
}
