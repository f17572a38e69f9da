import { MAX_TRANSACTION_GAS, TRANSACTION_GAS } from '../spec/gas-schedule.ts'
import { type CallContext, CallFailedError, type CallRequest } from './call.ts'
import { type CallRunner, capGas, throwOnFailure, tryCall } from './execute-call.ts'
import { createPacer } from './pacer.ts'

/** Gas that a call with value hands to its target on top. */
const CALL_STIPEND = 2_300n
/** The estimate may exceed the least possible gas by one part in this many, as in geth (0.015). */
const PRECISION = 66n

/**
 * The least gas with which a call succeeds, found by bisection.
 *
 * @throws {CallFailedError} If it fails with all the gas that it may have.
 */
export async function estimateGas(runner: CallRunner, request: CallRequest, context: CallContext): Promise<bigint> {
  const guard = createPacer(runner.limits.clock, runner.limits.timeoutMs)
  const most = affordableGas(request, context, capGas(request.gas, minOf(runner.limits.gasCap, MAX_TRANSACTION_GAS)))
  if (isPlainTransfer(request, context) && most >= TRANSACTION_GAS) return TRANSACTION_GAS

  const attempt = async (gas: bigint) => {
    try {
      return await tryCall(runner, request, context, gas, guard)
    } catch (error) {
      if (error instanceof CallFailedError && error.code === 'gas-too-low') return undefined
      throw error
    }
  }
  const first = await attempt(most)
  if (!first || first.failure?.message.startsWith('out of gas')) {
    throw new CallFailedError('vm-error', `gas required exceeds allowance (${most})`)
  }
  throwOnFailure(first, most)
  let low = first.gasUsed - 1n
  let high = most
  // One call in 64 keeps a 64th of the gas back, so this usually suffices at once.
  const guess = ((first.peakGas + CALL_STIPEND) * 64n) / 63n
  if (guess < high) {
    const execution = await attempt(guess)
    if (execution && !execution.failure) high = guess
    else low = guess
  }
  while (low + 1n < high && (high - low) * PRECISION > high) {
    const middle = minOf((low + high) / 2n, low * 2n)
    const execution = await attempt(middle)
    if (execution && !execution.failure) high = middle
    else low = middle
  }
  return high
}

function affordableGas(request: CallRequest, { state }: CallContext, most: bigint): bigint {
  if (request.gasPrice === 0n) return most
  const balance = state.account(request.from)?.balance ?? 0n
  if (balance < request.value) {
    throw new CallFailedError('insufficient-funds', 'insufficient funds for transfer')
  }
  return minOf(most, (balance - request.value) / request.gasPrice)
}

/** Value to an account without code, and nothing else: its cost is known. */
function isPlainTransfer(
  { to, input, value, from, accessList, authorizationList }: CallRequest,
  { state }: CallContext,
) {
  if (to === null || input.length > 0 || accessList.length > 0 || authorizationList.length > 0) return false
  if (state.code(to).length > 0 || isPrecompile(to)) return false
  return (state.account(from)?.balance ?? 0n) >= value
}

/** Addresses up to 0x1ff are precompiles or may become some. */
function isPrecompile(address: string): boolean {
  return BigInt(address) < 0x200n
}

const minOf = (a: bigint, b: bigint) => (a < b ? a : b)
