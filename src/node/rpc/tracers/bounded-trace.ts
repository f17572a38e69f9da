import { CallFailedError } from '../../evm/calls/call.ts'
import { withTimeoutAsFailure } from '../../evm/calls/execute-call.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { guardFor } from '../caller-guard.ts'
import type { CallerContext } from '../define-method.ts'
import { RpcRefusedError } from '../errors.ts'

/** The longest timeout that a caller may ask for. */
const MAX_TIMEOUT_MS = 60_000

/**
 * Runs the work within the time that the caller or the node allows. Failures get geth's messages.
 *
 * @param timeoutMs - `undefined` for the node's own limit.
 */
export async function boundedTrace<Result>(
  context: Pick<CallerContext, 'runner' | 'clock' | 'caller'>,
  timeoutMs: number | undefined,
  work: (guard: ExecutionGuard) => Promise<Result>,
): Promise<Result> {
  const guard = guardFor(context, Math.min(timeoutMs ?? context.runner.limits.timeoutMs, MAX_TIMEOUT_MS))
  try {
    return await withTimeoutAsFailure(() => work(guard))
  } catch (error) {
    if (!(error instanceof CallFailedError)) throw error
    if (error.code === 'timeout') throw new RpcRefusedError('server', 'execution timeout', { cause: error })
    if (error.code === 'bad-override') throw error
    throw new RpcRefusedError('server', `tracing failed: ${error.message}`, { cause: error })
  }
}
