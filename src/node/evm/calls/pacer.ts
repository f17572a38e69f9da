import type { Clock } from '#primitives/clock.ts'
import type { ExecutionGuard } from '../message.ts'

/** Milliseconds of execution after which others get their turn. */
const SLICE_MS = 8

/** An execution ran longer than it may. */
export class ExecutionTimeoutError extends Error {
  override readonly name = 'ExecutionTimeoutError'
  /** @param timeoutMs - What was allowed. */
  constructor(timeoutMs: number) {
    super(`execution aborted (timeout = ${timeoutMs / 1000}s)`)
  }
}

/**
 * Guard that hands the thread over every few milliseconds, so that a long execution does not stop the node from answering.
 *
 * @param timeoutMs - Aborts with {@link ExecutionTimeoutError} after that time; without it there is no end but gas.
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
      return now - sliceStarted > SLICE_MS ? handOver() : undefined
    },
  }
}
