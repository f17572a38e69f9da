import type { Clock } from '#primitives/clock.ts'
import type { Caller } from '#rpc-types/connection.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { createPacer, ExecutionTimeoutError } from '../turns/pacer.ts'
import { RpcRefusedError } from './errors.ts'

/**
 * Guard for work that a caller waits for: it yields the thread every few milliseconds, and stops the work when the
 * caller has gone.
 *
 * @param timeoutMs - As in {@link createPacer}.
 */
export function guardFor(
  { clock, caller }: { readonly clock: Clock; readonly caller: Caller },
  timeoutMs?: number,
): ExecutionGuard {
  const pacer = createPacer(clock, timeoutMs)
  return {
    checkpoint() {
      if (caller.gone) throw new RpcRefusedError('server', 'the caller has gone')
      return pacer.checkpoint()
    },
  }
}

/**
 * Goes through blocks for a caller, within the time that a call has.
 *
 * @throws {RpcRefusedError} `server`, when the time is up.
 */
export async function searchBlocks<Result>(
  context: { readonly spec: { readonly callTimeoutMs: number }; readonly clock: Clock; readonly caller: Caller },
  search: (guard: ExecutionGuard) => Promise<Result>,
): Promise<Result> {
  try {
    return await search(guardFor(context, context.spec.callTimeoutMs))
  } catch (error) {
    if (!(error instanceof ExecutionTimeoutError)) throw error
    throw new RpcRefusedError('server', 'query timeout exceeded', { cause: error })
  }
}
