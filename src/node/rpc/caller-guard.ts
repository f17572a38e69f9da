import type { Clock } from '#primitives/clock.ts'
import type { Caller } from '#rpc-types/connection.ts'
import { createPacer } from '../evm/calls/pacer.ts'
import type { ExecutionGuard } from '../evm/message.ts'
import { RpcRefusedError } from './errors.ts'

/**
 * Guard for work that a caller waits for: it hands the thread over every few milliseconds, and stops the work when the
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
