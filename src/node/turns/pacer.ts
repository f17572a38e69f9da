import type { Clock } from '#primitives/clock.ts'
import { type ExecutionGuard, TURN_MS } from './guard.ts'

/** An execution exceeded its time limit. */
export class ExecutionTimeoutError extends Error {
  override readonly name = 'ExecutionTimeoutError'
  /** @param timeoutMs - The time limit. */
  constructor(timeoutMs: number) {
    super(`execution aborted (timeout = ${timeoutMs / 1000}s)`)
  }
}

/**
 * A guard that yields the thread every few milliseconds, so that the node keeps answering during a long execution.
 *
 * @param timeoutMs - Aborts with {@link ExecutionTimeoutError} after that time; without it only gas limits the
 * execution.
 */
export function createPacer(clock: Clock, timeoutMs?: number): ExecutionGuard {
  const started = clock.now()
  let sliceStarted = started
  const handOver = async () => {
    await clock.yield()
    sliceStarted = clock.now()
  }
  return {
    checkpoint() {
      const now = clock.now()
      if (timeoutMs !== undefined && now - started > timeoutMs) throw new ExecutionTimeoutError(timeoutMs)
      return now - sliceStarted > TURN_MS ? handOver() : undefined
    },
  }
}
