import { EMPTY_BYTES } from '#primitives/bytes.ts'
import type { RpcReplay } from '#rpc-types/methods/trace.ts'
import { capGas, runCall } from '../../../evm/calls/execute-call.ts'
import { separateCodes } from '../../../evm/calls/state-override.ts'
import { WorldState } from '../../../state/world-state.ts'
import { feeCap, type Transaction, tipCap } from '../../../tx/transaction.ts'
import { type CallArgs, callArgs } from '../../calls/call-params.ts'
import { toCallRequest } from '../../calls/call-request.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { type BlockRef, blockRef, requireStateBlock } from '../../params/block-params.ts'
import { rawTransaction } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'
import { type TracedCall, tracedCalls } from './call-params.ts'
import { createReplayTracer, replayOf } from './replay-tracer.ts'
import { traceTypes } from './trace-params.ts'

/** Parity’s traces of what is no transaction of the chain. */
export const TRACE_CALL_METHODS = {
  /** Traces a call on the state after a block. */
  trace_call: defineMethod(
    [callArgs, traceTypes, optional(blockRef, 'latest')],
    async (context, args, types, ref) => (await traceCalls(context, [{ args, types }], ref))[0] as RpcReplay,
    { queue: 'trace' },
  ),

  /** Each call is made on the state that the one before leaves. */
  trace_callMany: defineMethod([tracedCalls, optional(blockRef, 'latest')], traceCalls, { queue: 'trace' }),

  /** Traces a signed transaction as if its turn had come, whatever its nonce is. It is not submitted. */
  trace_rawTransaction: defineMethod(
    [rawTransaction, traceTypes],
    async (context, raw, types) => {
      const tx = await context.decoder.decode(raw)
      return (await traceCalls(context, [{ args: callOf(tx), types }], 'latest'))[0] as RpcReplay
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

async function traceCalls(
  context: CallerContext,
  calls: readonly TracedCall[],
  ref: BlockRef,
): Promise<readonly RpcReplay[]> {
  const { runner, spec } = context
  const block = requireStateBlock(context, ref)
  const env = context.environment(block)
  const requests = calls.map(({ args }) => toCallRequest(args, { chainId: spec.chainId, baseFee: env.baseFee }))
  const budget = new TraceBudget(context.runner.limits)
  return boundedTrace(context, undefined, async (guard) => {
    const state = new WorldState(separateCodes(block.state))
    const replays: RpcReplay[] = []
    for (const [i, request] of requests.entries()) {
      const types = calls[i]?.types ?? new Set()
      const tracer = createReplayTracer(types, runner.engine.precompiles, budget)
      await runCall(runner, request, state, env, capGas(request.gas, runner.limits.gasCap), guard, tracer)
      replays.push(replayOf(tracer, types))
      await guard.checkpoint()
    }
    return replays
  })
}

/** A transaction as a call object. */
function callOf(tx: Transaction): CallArgs {
  const { sender, to, nonce, gas, value, input } = tx
  const prices =
    'gasPrice' in tx
      ? { gasPrice: tx.gasPrice, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }
      : { gasPrice: undefined, maxFeePerGas: feeCap(tx), maxPriorityFeePerGas: tipCap(tx) }
  return {
    from: sender,
    to: to ?? undefined,
    nonce,
    gas,
    ...prices,
    value,
    data: undefined,
    input: input.length === 0 ? EMPTY_BYTES : input,
    chainId: tx.chainId ?? undefined,
    accessList: tx.type === 0 ? [] : tx.accessList,
    authorizationList: tx.type === 4 ? tx.authorizationList : [],
    hasBlobs: false,
  }
}
