import { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../message.ts'
import type { CallContext, CallRequest } from './call.ts'
import { estimateGas } from './estimate-gas.ts'
import { type CallRunner, runCall, throwOnFailure } from './execute-call.ts'
import { separateCodes } from './state-override.ts'

/**
 * The least gas of each of several calls that are made one after the other, found as {@link estimateGas} does on the
 * state that the calls before leave.
 *
 * @param guard - For all of them together.
 * @throws {CallFailedError} For the first that fails with all the gas that it may have.
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
    // The last leaves its state to nobody.
    if (estimates.length === requests.length) break
    throwOnFailure(await runCall(runner, request, state, env, gas, guard))
  }
  return estimates
}
