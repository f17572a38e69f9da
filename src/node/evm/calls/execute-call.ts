import { checksumAddress } from '../../crypto/checksum-address.ts'
import { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { ExecutionTimeoutError } from '../../turns/pacer.ts'
import { floorGas, intrinsicGas } from '../../tx/intrinsic-gas.ts'
import type { BlockEnv } from '../block-env.ts'
import type { Engine } from '../engine.ts'
import type { Execution } from '../message.ts'
import type { TransactionTracer } from '../tracer.ts'
import { executeMessage } from '../transactions/execute-message.ts'
import type { CallContext, CallLimits, CallRequest } from './call.ts'
import { CallFailedError, rewordUnexecuted } from './call.ts'
import type { TrialStates } from './trial-states.ts'

/** Dependencies for executing calls. */
export interface CallRunner {
  readonly engine: Engine
  readonly chainId: number
  readonly trials: TrialStates
  readonly limits: CallLimits
}

/**
 * Executes a call on a copy of the state.
 *
 * @returns Its return data, or the code of the contract it would create.
 * @throws {CallFailedError} If it reverts, halts, takes too long or cannot be paid for.
 */
export async function executeCall(
  runner: CallRunner,
  request: CallRequest,
  context: CallContext,
  guard: ExecutionGuard,
): Promise<Uint8Array> {
  const gas = capGas(request.gas, runner.limits.gasCap)
  try {
    const execution = await tryCall(runner, request, context, gas, guard, undefined, runner.engine.executed?.watch())
    throwOnFailure(execution)
    return execution.output
  } catch (error) {
    throw rewordUnexecuted(error, (message) => `err: ${message} (supplied gas ${gas})`)
  }
}

/**
 * Executes the call with that gas limit; a failure of the code is part of the result.
 *
 * @param watch - Counts what it executes, if somebody asked for just this execution.
 */
export async function tryCall(
  runner: CallRunner,
  request: CallRequest,
  { state, env }: CallContext,
  gas: bigint,
  guard: ExecutionGuard,
  tracer?: TransactionTracer,
  watch?: TransactionTracer,
): Promise<Execution> {
  // A tracer may compare the state with the earlier one.
  if (tracer) return runCall(runner, request, new WorldState(state), env, gas, guard, tracer)
  const trial = runner.trials.take(state)
  const execution = await runCall(runner, request, trial, env, gas, guard, watch, true)
  // Delegations would leave their code.
  if (request.authorizationList.length === 0) runner.trials.giveBack(state, trial)
  return execution
}

/**
 * Runs a call on a state that keeps its changes; if this throws, the state must no longer be used.
 *
 * @param isTrial - Whether neither the state nor the logs are used afterwards.
 */
export async function runCall(
  { engine, chainId }: CallRunner,
  request: CallRequest,
  state: WorldState,
  env: BlockEnv,
  gas: bigint,
  guard: ExecutionGuard,
  tracer?: TransactionTracer,
  isTrial = false,
): Promise<Execution> {
  if (request.priceProblem !== undefined) throw new CallFailedError('price', request.priceProblem)
  const codeSize = request.input.length
  if (request.to === null && codeSize > 2 * engine.codeSizeLimit) {
    const detail = `code size ${codeSize} limit ${2 * engine.codeSizeLimit}`
    throw new CallFailedError('initcode-too-large', `max initcode size exceeded: ${detail}`)
  }
  const balance = state.account(request.from)?.balance ?? 0n
  const cost = request.value + gas * (request.feeCap ?? request.gasPrice)
  if (balance < cost) {
    const amounts = cost < 2n ** 256n ? `have ${balance} want ${cost}` : 'required balance exceeds 256 bits'
    const detail = `address ${checksumAddress(request.from)} ${amounts}`
    throw new CallFailedError('insufficient-funds', `insufficient funds for gas * price + value: ${detail}`)
  }
  const [intrinsic, floor] = [intrinsicGas(request), floorGas(request)]
  if (gas < intrinsic) {
    throw new CallFailedError('gas-too-low', `intrinsic gas too low: have ${gas}, want ${intrinsic}`)
  }
  if (gas < floor) {
    throw new CallFailedError('gas-too-low', `insufficient gas for floor data gas cost: have ${gas}, want ${floor}`)
  }
  // Without a price the call pays no fees, and BASEFEE is 0, as in geth.
  const callEnv = request.gasPrice === 0n ? withoutFees(env) : env
  const tip = request.gasPrice > callEnv.baseFee ? request.gasPrice - callEnv.baseFee : 0n
  return withTimeoutAsFailure(() =>
    executeMessage(engine, state, callEnv, { ...request, gas, tip, isTrial }, chainId, guard, tracer),
  )
}

/** Environments without a base fee: the same for the same block, as an engine does not read it again then. */
const FREE = new WeakMap<BlockEnv, BlockEnv>()

function withoutFees(env: BlockEnv): BlockEnv {
  let free = FREE.get(env)
  if (!free) FREE.set(env, (free = { ...env, baseFee: 0n }))
  return free
}

/**
 * Runs the work; a timeout becomes a failure of the call.
 *
 * @throws {CallFailedError} `timeout`.
 */
export async function withTimeoutAsFailure<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ExecutionTimeoutError)) throw error
    throw new CallFailedError('timeout', error.message)
  }
}

/** @throws {CallFailedError} If the execution failed. */
export function throwOnFailure({ failure, output, consoleCalls }: Execution): void {
  if (!failure) return
  if (failure.kind === 'reverted') throw new CallFailedError('reverted', failure.message, output, consoleCalls)
  throw new CallFailedError('vm-error', failure.message, undefined, consoleCalls)
}

/** The requested gas, at most the node's cap. */
export function capGas(gas: bigint | undefined, cap: bigint): bigint {
  return gas === undefined || gas > cap ? cap : gas
}
