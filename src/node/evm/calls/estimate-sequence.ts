import { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { CallContext, CallRequest } from './call.ts'
import { estimateGas } from './estimate-gas.ts'
import { type CallRunner, runCall, throwOnFailure } from './execute-call.ts'
import { separateCodes } from './state-override.ts'

/**
 * The lowest gas limits of several calls in sequence: {@link estimateGas} for each, on the state after the earlier
 * ones.
 *
 * @param guard - For all of them together.
 * @throws {CallFailedError} For the first one that fails even with the highest gas limit.
 */
export async function estimateSequence(
  runner: CallRunner,
  requests: readonly CallRequest[],
  { state: base, env }: CallContext,
  guard: ExecutionGuard,
): Promise<readonly bigint[]> {
  const state = new WorldState(separateCodes(base))
  const estimates: bigint[] = []
  for (const request of requests) {
    const gas = await estimateGas(runner, request, { state: state.snapshot(), env }, guard)
    estimates.push(gas)
    // Nothing follows the last one, so its state is not needed.
    if (estimates.length === requests.length) break
    throwOnFailure(await runCall(runner, request, state, env, gas, guard))
  }
  return estimates
}
