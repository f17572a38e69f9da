import type { Clock } from './clock.ts'

/** Functions that every JavaScript host has; passed in, so that this folder needs neither DOM nor Node types. */
export interface TimerHost {
  readonly performance: {
    readonly timeOrigin: number
    now(): number
    /** Node.js only: number of events so far, such as connections, data, or messages of threads. */
    readonly nodeTiming?: { readonly uvMetricsInfo?: { readonly events: number } } | undefined
  }
  readonly Date: { now(): number }
  setTimeout(callback: () => void, delayMs: number): unknown
  clearTimeout(handle: never): void
  /** Node.js has it. */
  setImmediate?(callback: () => void): unknown
  readonly MessageChannel: new () => {
    readonly port1: { onmessage: ((event: never) => void) | null }
    readonly port2: { postMessage(message: unknown): void }
  }
}

/** The longest a yield waits while events keep arriving, in milliseconds: as long as a slice of work. */
const MAX_ROUNDS_MS = 8

/** The host's monotonic clock on the Unix epoch beside its clock of the day, with timers rounded up to whole milliseconds. */
export function createSystemClock(host: TimerHost): Clock {
  return {
    now: () => host.performance.timeOrigin + host.performance.now(),
    wallNow: () => host.Date.now(),
    schedule(callback, delayMs) {
      const handle = host.setTimeout(() => void callback(), Math.max(0, Math.ceil(delayMs)))
      return () => host.clearTimeout(handle as never)
    },
    yield: host.setImmediate
      ? yieldByRounds(host.performance, (callback) => host.setImmediate?.(callback))
      : yieldByMessages(new host.MessageChannel()),
  }
}

/**
 * Node.js accepts one connection in each round of its loop, so that two hundred of them would keep everybody waiting for
 * two hundred turns. The next turn begins when a round has brought nothing, or when others have had as much time as a turn.
 */
function yieldByRounds(
  performance: TimerHost['performance'],
  setImmediate: (callback: () => void) => void,
): Clock['yield'] {
  const arrived = () => performance.nodeTiming?.uvMetricsInfo?.events
  return () =>
    new Promise((resolve) => {
      let before = arrived()
      // Counted from the first round on: who yields may have work to do before it ends.
      let latest: number | undefined
      const look = () => {
        const now = arrived()
        latest ??= performance.now() + MAX_ROUNDS_MS
        if (now === before || performance.now() >= latest) return resolve()
        before = now
        setImmediate(look)
      }
      setImmediate(look)
    })
}

/** A message to oneself arrives after everything that is already queued. An open channel would keep Node.js from exiting. */
function yieldByMessages({ port1, port2 }: InstanceType<TimerHost['MessageChannel']>): Clock['yield'] {
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      port2.postMessage(null)
    })
}
