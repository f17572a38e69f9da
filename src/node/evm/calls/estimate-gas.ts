import { MAX_TRANSACTION_GAS, TRANSACTION_GAS } from '../../spec/gas-schedule.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { TransactionTracer } from '../tracer.ts'
import { type CallContext, CallFailedError, type CallRequest, rewordUnexecuted } from './call.ts'
import { type CallRunner, throwOnFailure, tryCall } from './execute-call.ts'

/** Gas that a call with value adds for its target. */
const CALL_STIPEND = 2_300n
/** The estimate may exceed the minimum by one part in this many, as in geth (0.015). */
const PRECISION = 66n

/**
 * The lowest gas limit with which a call succeeds, found by bisection.
 *
 * @throws {CallFailedError} If it fails even with the highest.
 */
export async function estimateGas(
  runner: CallRunner,
  request: CallRequest,
  context: CallContext,
  guard: ExecutionGuard,
): Promise<bigint> {
  const asked = request.gas !== undefined && request.gas >= TRANSACTION_GAS ? request.gas : context.env.gasLimit
  const affordable = affordableGas(request, context, minOf(asked, MAX_TRANSACTION_GAS))
  const most = minOf(affordable, runner.limits.gasCap)
  if (isPlainTransfer(runner, request, context) && most >= TRANSACTION_GAS) return TRANSACTION_GAS

  const attempt = async (gas: bigint, watch?: TransactionTracer) => {
    try {
      return await tryCall(runner, request, context, gas, guard, undefined, watch)
    } catch (error) {
      if (error instanceof CallFailedError && error.code === 'gas-too-low') return undefined
      throw rewordUnexecuted(error, (message) => `failed with ${gas} gas: ${message}`)
    }
  }
  // Further attempts only look for the limit.
  const first = await attempt(most, runner.engine.executed?.watch())
  if (!first || first.failure?.message === 'out of gas') {
    const message = `gas required exceeds allowance (${most})`
    throw new CallFailedError('vm-error', message, undefined, first?.consoleCalls)
  }
  throwOnFailure(first)
  let low = first.gasUsed - 1n
  let high = most
  // A call keeps a 64th of its gas, so this guess usually succeeds.
  const guess = ((first.peakGas + CALL_STIPEND) * 64n) / 63n
  if (guess < high) {
    const execution = await attempt(guess)
    if (execution && !execution.failure) high = guess
    else low = guess
  }
  // The limit itself is finer than any difference.
  const precision = runner.limits.exactEstimates ? high : PRECISION
  while (low + 1n < high && (high - low) * precision > high) {
    const middle = minOf((low + high) / 2n, low * 2n)
    const execution = await attempt(middle)
    if (execution && !execution.failure) high = middle
    else low = middle
  }
  return high
}

function affordableGas(request: CallRequest, { state }: CallContext, most: bigint): bigint {
  const feeCap = request.feeCap ?? request.gasPrice
  if (feeCap === 0n) return most
  const balance = state.account(request.from)?.balance ?? 0n
  if (balance <= request.value) {
    throw new CallFailedError('insufficient-funds', 'insufficient funds for transfer')
  }
  return minOf(most, (balance - request.value) / feeCap)
}

/** Whether the call only sends value to an account without code, which has a known cost. */
function isPlainTransfer(
  { engine }: CallRunner,
  { to, input, value, from, accessList, authorizationList, priceProblem }: CallRequest,
  { state, env }: CallContext,
) {
  if (
    priceProblem !== undefined ||
    to === null ||
    input.length > 0 ||
    accessList.length > 0 ||
    authorizationList.length > 0
  )
    return false
  if (state.code(to).length > 0 || (env.precompiles ?? engine.precompiles).has(to)) return false
  return (state.account(from)?.balance ?? 0n) >= value
}

const minOf = (a: bigint, b: bigint) => (a < b ? a : b)
