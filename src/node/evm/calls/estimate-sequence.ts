import { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { type CallContext, CallFailedError, type CallRequest } from './call.ts'
import { estimateGas } from './estimate-gas.ts'
import { type CallRunner, runCall, throwOnFailure } from './execute-call.ts'
import { separateCodes } from './state-override.ts'

/**
 * The lowest gas limits of several calls in sequence: {@link estimateGas} for each, on the state after the earlier
 * ones.
 *
 * @param guard - For all of them together.
 * @param gasOfFailing - The gas limit of a call that fails even with the highest one. It counts as executed.
 * @throws {CallFailedError} For the first one that fails even with the highest gas limit, unless `gasOfFailing` is given.
 */
export async function estimateSequence(
  runner: CallRunner,
  requests: readonly CallRequest[],
  { state: base, env }: CallContext,
  guard: ExecutionGuard,
  gasOfFailing?: bigint,
): Promise<readonly bigint[]> {
  const state = new WorldState(separateCodes(base))
  const estimates: bigint[] = []
  for (const request of requests) {
    let gas: bigint
    let fails = false
    try {
      gas = await estimateGas(runner, request, { state: state.snapshot(), env }, guard)
    } catch (error) {
      if (gasOfFailing === undefined || !isFailedExecution(error)) throw error
      gas = gasOfFailing
      fails = true
    }
    estimates.push(gas)
    // Nothing follows the last one, so its state is not needed.
    if (estimates.length === requests.length) break
    const execution = await runCall(runner, request, state, env, gas, guard)
    if (!fails) throwOnFailure(execution)
  }
  return estimates
}

/** Whether the code failed, rather than what is paid for it or how long it took. */
function isFailedExecution(error: unknown): boolean {
  return error instanceof CallFailedError && (error.code === 'reverted' || error.code === 'vm-error')
}
