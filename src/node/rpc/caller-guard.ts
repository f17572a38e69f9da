import type { ExecutionGuard } from '../evm/engine.ts'
import { createPacer } from '../evm/pacer.ts'
import type { CallerContext } from './define-method.ts'
import { RpcRefusedError } from './errors.ts'

/**
 * Guard for work that a caller waits for: it hands the thread over every few milliseconds, and stops the work when the
 * caller has gone.
 *
 * @param timeoutMs - As in {@link createPacer}.
 */
export function guardFor(
  { clock, caller }: Pick<CallerContext, 'clock' | 'caller'>,
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
