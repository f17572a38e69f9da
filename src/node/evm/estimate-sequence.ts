import { WorldState } from '../state/world-state.ts'
import type { CallContext, CallRequest } from './call.ts'
import { estimateGas } from './estimate-gas.ts'
import { type CallRunner, runCall, throwOnFailure } from './execute-call.ts'
import { createPacer } from './pacer.ts'
import { separateCodes } from './state-override.ts'

/**
 * The least gas of each of several calls that are made one after the other, found as {@link estimateGas} does on the
 * state that the calls before leave.
 *
 * @throws {CallFailedError} For the first that fails with all the gas that it may have.
 */
export async function estimateSequence(
  runner: CallRunner,
  requests: readonly CallRequest[],
  { state: base, env }: CallContext,
): Promise<readonly bigint[]> {
  const state = new WorldState(separateCodes(base))
  const estimates: bigint[] = []
  for (const request of requests) {
    const gas = await estimateGas(runner, request, { state: state.snapshot(), env })
    estimates.push(gas)
    // The last leaves its state to nobody.
    if (estimates.length === requests.length) break
    const guard = createPacer(runner.limits.clock, runner.limits.timeoutMs)
    throwOnFailure(await runCall(runner, request, state, env, gas, guard), gas)
  }
  return estimates
}
