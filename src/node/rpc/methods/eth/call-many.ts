import { bytesToHex } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { RpcCallOutcome } from '#rpc-types/methods/eth.ts'
import type { BlockEnv } from '../../../evm/block-env.ts'
import { type BlockOverride, overrideEnv } from '../../../evm/calls/block-override.ts'
import { CallFailedError, type CallRequest } from '../../../evm/calls/call.ts'
import { capGas, runCall } from '../../../evm/calls/execute-call.ts'
import { applyStateOverride, placesOf } from '../../../evm/calls/state-override.ts'
import type { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { type CallArgs, callArgs } from '../../calls/call-params.ts'
import { toCallRequest } from '../../calls/call-request.ts'
import { NO_BLOCK_OVERRIDE, NO_STATE_OVERRIDE, parseBlockOverride, stateOverride } from '../../calls/override-params.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { reverted } from '../../errors.ts'
import { type BlockRef, blockRef, requireStateBlock } from '../../params/block-params.ts'
import { cannotUnmarshal, jsonType, optional, type Param, ParamError } from '../../params/param.ts'
import { hexOrDecimal } from '../../params/plain-params.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { stateBefore } from '../../tracers/replay.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'
import { MAX_CALLS_IN_SEQUENCE } from '../trace/call-params.ts'

/** Calls in the same block. */
interface Bundle {
  readonly calls: readonly CallArgs[]
  readonly block: BlockOverride
}

/** A block, or the moment before one of its transactions. */
interface Moment {
  readonly ref: BlockRef
  /** `undefined` after the last. */
  readonly index: number | undefined
}

const bundles: Param<readonly Bundle[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type []ethapi.Bundle')
    const parsed = value.map((bundle: unknown): Bundle => {
      if (!isObject(bundle)) throw cannotUnmarshal(jsonType(bundle), 'value of type ethapi.Bundle')
      const { transactions, blockOverride } = bundle
      if (!Array.isArray(transactions)) {
        throw cannotUnmarshal(jsonType(transactions ?? null), 'struct field Bundle.transactions of type array')
      }
      return {
        calls: transactions.map((call: unknown) => callArgs.parse(call)),
        block: isGiven(blockOverride) ? parseBlockOverride(blockOverride) : NO_BLOCK_OVERRIDE,
      }
    })
    const count = parsed.reduce((sum, { calls }) => sum + calls.length, 0)
    if (count > MAX_CALLS_IN_SEQUENCE) throw new ParamError(`too many calls, want at most ${MAX_CALLS_IN_SEQUENCE}`)
    return parsed
  },
}

const moment: Param<Moment> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type ethapi.StateContext')
    const { blockNumber, transactionIndex } = value
    const isLast = !isGiven(transactionIndex) || transactionIndex === -1 || transactionIndex === '-1'
    return {
      ref: isGiven(blockNumber) ? blockRef.parse(blockNumber) : 'latest',
      index: isLast ? undefined : Number(hexOrDecimal.parse(transactionIndex)),
    }
  },
}

/** Calls in sequence. */
export const ETH_CALL_MANY_METHODS = {
  /** Each call is made on the state that the one before leaves, also over the ends of bundles. */
  eth_callMany: defineMethod(
    [bundles, optional(moment, { ref: 'latest', index: undefined }), optional(stateOverride, NO_STATE_OVERRIDE)],
    (context, list, { ref, index }, overrides) => {
      const block = requireStateBlock(context, ref)
      const real = context.environment(block)
      return boundedTrace(context, undefined, async (guard) => {
        const state = await stateBefore(context, block, index, guard)
        const places = placesOf(real, context.runner.engine.precompiles)
        const precompiles = await applyStateOverride(state, overrides, places, guard)
        const outcomes: RpcCallOutcome[][] = []
        const budget = new TraceBudget(context.runner.limits)
        for (const { calls, block: pretended } of list) {
          const env = { ...overrideEnv(real, pretended), precompiles }
          const told: RpcCallOutcome[] = []
          for (const args of calls) {
            const request = toCallRequest(args, { chainId: context.spec.chainId, baseFee: env.baseFee })
            const outcome = await outcomeOf(context, request, state, env, guard)
            budget.spend((outcome.value ?? outcome.error ?? '').length)
            told.push(outcome)
            await guard.checkpoint()
          }
          outcomes.push(told)
        }
        return outcomes
      })
    },
    { queue: 'call' },
  ),
} satisfies Partial<MethodTable>

/** Failures of a call that has not begun. */
const NOT_BEGUN = new Set(['price', 'initcode-too-large', 'insufficient-funds', 'gas-too-low'])

async function outcomeOf(
  { runner }: CallerContext,
  request: CallRequest,
  state: WorldState,
  env: BlockEnv,
  guard: ExecutionGuard,
): Promise<RpcCallOutcome> {
  try {
    const gas = capGas(request.gas, runner.limits.gasCap)
    const { failure, output } = await runCall(runner, request, state, env, gas, guard)
    if (!failure) return { value: bytesToHex(output) }
    return { error: failure.kind === 'reverted' ? reverted(output).message : failure.message }
  } catch (error) {
    // The state is as it was.
    if (error instanceof CallFailedError && NOT_BEGUN.has(error.code)) return { error: error.message }
    throw error
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
