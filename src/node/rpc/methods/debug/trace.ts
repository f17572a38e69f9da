import type { RpcTrace, RpcTransactionTrace } from '#rpc-types/methods/debug.ts'
import { overrideEnv } from '../../../evm/calls/block-override.ts'
import { capGas, runCall } from '../../../evm/calls/execute-call.ts'
import { applyStateOverride, placesOf } from '../../../evm/calls/state-override.ts'
import type { Block } from '../../../payload/block.ts'
import { replayBlock } from '../../../payload/replay-block.ts'
import { callArgs } from '../../calls/call-params.ts'
import { toCallRequest } from '../../calls/call-request.ts'
import { NO_BLOCK_OVERRIDE, NO_STATE_OVERRIDE } from '../../calls/override-params.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { blockNumber, blockRef, findBlock, requireStateBlock } from '../../params/block-params.ts'
import { hash } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { subjectOf } from '../../tracers/create-tracer.ts'
import { openTracers } from '../../tracers/open-tracers.ts'
import { replayedBlock, stateBefore } from '../../tracers/replay.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'
import {
  type TraceCallConfig,
  type TraceConfig,
  traceCallConfig,
  traceConfig,
} from '../../tracers/trace-config-params.ts'

export const DEFAULT_CONFIG: TraceConfig = traceConfig.parse({})

const DEFAULT_CALL_CONFIG: TraceCallConfig = {
  ...DEFAULT_CONFIG,
  stateOverrides: NO_STATE_OVERRIDE,
  blockOverrides: NO_BLOCK_OVERRIDE,
  txIndex: undefined,
}

/** Traces of transactions, blocks and calls. */
export const DEBUG_TRACE_METHODS = {
  /** Executes a sealed or pre-confirmed transaction again with a tracer. */
  debug_traceTransaction: defineMethod(
    [hash, optional(traceConfig, DEFAULT_CONFIG)],
    (context, txHash, config) => {
      const found = context.chain.findTransaction(txHash)
      if (!found) throw new RpcRefusedError('server', 'transaction not found')
      const { block, included } = found
      const budget = new TraceBudget(context.runner.limits)
      return boundedTrace(context, config.timeoutMs, async (guard) => {
        const tracers = await openTracers(context, config)
        const { runner } = tracers
        const tracer = tracers.create(subjectOf(block, included, runner.engine.precompiles), budget)
        const replayed = replayedBlock(context, block)
        await replayBlock({ ...runner, guard }, replayed, included.transactionIndex + 1, ({ tx }) =>
          tx.hash === txHash ? tracer : undefined,
        )
        return tracer.result()
      })
    },
    { queue: 'trace' },
  ),

  /** The traces of all transactions of a block; `pending` is the live one. */
  debug_traceBlockByNumber: defineMethod(
    [blockNumber, optional(traceConfig, DEFAULT_CONFIG)],
    (context, ref, config) => {
      const block = findBlock(context, ref)
      if (!block) throw new RpcRefusedError('server', `block #${ref} not found`)
      return traceBlock(context, block, config)
    },
    { queue: 'trace' },
  ),

  /** Sealed blocks only. */
  debug_traceBlockByHash: defineMethod(
    [hash, optional(traceConfig, DEFAULT_CONFIG)],
    (context, blockHash, config) => {
      const block = context.chain.blockByHash(blockHash)
      if (!block) throw new RpcRefusedError('server', `block ${blockHash} not found`)
      return traceBlock(context, block, config)
    },
    { queue: 'trace' },
  ),

  /** Traces a call after the transactions of a block, or before a given one. */
  debug_traceCall: defineMethod(
    [callArgs, optional(blockRef, 'latest'), optional(traceCallConfig, DEFAULT_CALL_CONFIG)],
    (context, args, ref, config) => {
      const block = requireStateBlock(context, ref)
      const { runner, spec } = context
      const env = overrideEnv(context.environment(block), config.blockOverrides)
      const request = toCallRequest(args, { chainId: spec.chainId, baseFee: env.baseFee })
      const subject = {
        blockHash: null,
        blockNumber: env.number,
        transactionHash: null,
        transactionPosition: 0,
        firstLogIndex: 0,
        precompiles: runner.engine.precompiles,
      }
      return boundedTrace(context, config.timeoutMs, async (guard) => {
        const tracers = await openTracers(context, config)
        const tracer = tracers.create(subject, new TraceBudget(runner.limits))
        const state = await stateBefore(context, block, config.txIndex, guard)
        const places = placesOf(env, runner.engine.precompiles)
        const precompiles = await applyStateOverride(state, config.stateOverrides, places, guard)
        const gas = capGas(request.gas, runner.limits.gasCap)
        await runCall(tracers.runner, request, state, { ...env, precompiles }, gas, guard, tracer)
        return tracer.result()
      })
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

export function traceBlock(
  context: CallerContext,
  block: Block,
  config: TraceConfig,
): Promise<readonly RpcTransactionTrace[]> {
  return boundedTrace(context, config.timeoutMs, async (guard) => {
    const replayed = replayedBlock(context, block)
    const budget = new TraceBudget(context.runner.limits)
    const opened = await openTracers(context, config)
    const { runner } = opened
    const { precompiles } = runner.engine
    const tracers = block.transactions.map((included) => opened.create(subjectOf(block, included, precompiles), budget))
    await replayBlock(
      { ...runner, guard },
      replayed,
      tracers.length,
      ({ transactionIndex }) => tracers[transactionIndex],
    )
    return block.transactions.map(({ tx }, i) => ({ txHash: tx.hash, result: tracers[i]?.result() as RpcTrace }))
  })
}
