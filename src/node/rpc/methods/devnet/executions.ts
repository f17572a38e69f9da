import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { isObject } from '#primitives/json-object.ts'
import { type BlockOverride, overrideEnv } from '../../../evm/calls/block-override.ts'
import { capGas, runCall } from '../../../evm/calls/execute-call.ts'
import { applyStateOverride, placesOf, type StateOverride } from '../../../evm/calls/state-override.ts'
import type { Execution } from '../../../evm/message.ts'
import type { TraceStart, TransactionTracer } from '../../../evm/tracer.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { stackTraceOf } from '../../builds/stack-trace.ts'
import { type CallArgs, callArgs } from '../../calls/call-params.ts'
import { toCallRequest } from '../../calls/call-request.ts'
import {
  NO_BLOCK_OVERRIDE,
  NO_STATE_OVERRIDE,
  parseBlockOverride,
  parseStateOverride,
} from '../../calls/override-params.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError, reverted } from '../../errors.ts'
import { formatConsole } from '../../format/console.ts'
import { type BlockRef, blockRef, requireStateBlock } from '../../params/block-params.ts'
import { parseAddress, parseHash } from '../../params/hex-params.ts'
import { optional, type Param, ParamError } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { createExecutionTracer } from '../../tracers/execution-tracer.ts'
import { stateBefore, traceIncluded } from '../../tracers/replay.ts'
import { createStepWindow } from '../../tracers/step-window.ts'
import { createStorageTracer, type SlotsByAccount } from '../../tracers/storage-tracer.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'

/** Most steps of one `devnet_traceSteps`. */
const MAX_STEPS = 1_024
/** Most slots that one `devnet_traceStorage` asks for. */
const MAX_SLOTS = 4_096

/** What to execute once more. */
type Subject = Hash | ExecutedCall

interface ExecutedCall {
  readonly args: CallArgs
  readonly ref: BlockRef
  readonly state: StateOverride
  readonly block: BlockOverride
}

/** A transaction's hash, or a call with its block and overrides. */
const subject: Param<Subject> = {
  parse(value) {
    if (typeof value === 'string') return parseHash(value)
    if (!isObject(value)) throw new ParamError('neither the hash of a transaction nor a call')
    const { call, block, stateOverrides, blockOverrides } = value
    const isGiven = (member: unknown) => member !== undefined && member !== null
    if (!isGiven(call)) throw new ParamError('the subject has no call')
    return {
      args: callArgs.parse(call),
      ref: isGiven(block) ? blockRef.parse(block) : 'latest',
      state: isGiven(stateOverrides) ? parseStateOverride(stateOverrides) : NO_STATE_OVERRIDE,
      block: isGiven(blockOverrides) ? parseBlockOverride(blockOverrides) : NO_BLOCK_OVERRIDE,
    }
  },
}

/** Slots by account. */
const slotsByAccount: Param<SlotsByAccount> = {
  parse(value) {
    if (!isObject(value)) throw new ParamError('the slots are not given by account')
    let left = MAX_SLOTS
    return Object.entries(value).map(([account, slots]) => {
      if (!Array.isArray(slots)) throw new ParamError('the slots of an account are not a list')
      left -= slots.length
      if (left < 0) throw new ParamError(`more than ${MAX_SLOTS} slots are asked for`)
      return [parseAddress(account), slots.map((slot: unknown) => parseHash(slot))] as const
    })
  },
}

/** Executions step by step, for debuggers. */
export const DEVNET_EXECUTION_METHODS = {
  /** Everything but stacks and memories. */
  devnet_traceExecution: defineMethod(
    [subject],
    async (context, what) => {
      const tracer = createExecutionTracer(context.runner.engine, new TraceBudget(context.runner.limits))
      await executeOnceMore(context, what, tracer)
      return tracer.result()
    },
    { queue: 'trace' },
  ),

  /** By the builds that the node knows. */
  devnet_getStackTrace: defineMethod(
    [subject],
    async (context, what) => {
      if (context.builds.isEmpty) return null
      const tracer = createExecutionTracer(context.runner.engine, new TraceBudget(context.runner.limits))
      await executeOnceMore(context, what, tracer)
      return (await stackTraceOf(tracer.result(), context.builds)) ?? null
    },
    { queue: 'trace' },
  ),

  /** The console's lines, decoded. */
  devnet_getConsoleLogs: defineMethod(
    [subject],
    async (context, what) => {
      const seen: { start?: TraceStart; execution?: Execution } = {}
      await executeOnceMore(context, what, {
        begin: (start) => void (seen.start = start),
        end: (execution) => void (seen.execution = execution),
      })
      const { start, execution } = seen
      invariant(start && execution, 'an execution is traced from its begin to its end')
      const isCall = typeof what === 'object'
      return formatConsole({
        calls: execution.consoleCalls ?? { inputs: [], more: 0 },
        transactionHash: isCall ? null : what,
        method: isCall ? 'eth_call' : null,
        from: start.message.from,
        to: start.message.to,
        blockNumber: start.env.number,
        error: errorOf(execution, isCall),
      })
    },
    { queue: 'trace' },
  ),

  /** A few steps in full. */
  devnet_traceSteps: defineMethod(
    [subject, integerWithin(0, Number.MAX_SAFE_INTEGER), integerWithin(1, MAX_STEPS)],
    async (context, what, first, count) => {
      const tracer = createStepWindow(first, count)
      await executeOnceMore(context, what, tracer)
      return tracer.result()
    },
    { queue: 'trace' },
  ),

  /** Every use of a slot, and what was hashed. */
  devnet_traceStorage: defineMethod(
    [subject, optional(slotsByAccount, [])],
    async (context, what, slots) => {
      const tracer = createStorageTracer(slots, new TraceBudget(context.runner.limits))
      await executeOnceMore(context, what, tracer)
      return tracer.result()
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

/** Why it failed: of a call in the words of its error, with the reason. */
function errorOf({ failure, output }: Execution, isCall: boolean): string | null {
  if (isCall && failure?.kind === 'reverted') return reverted(output).message
  return failure?.message ?? null
}

/** @throws {RpcRefusedError} If there is no such transaction, or the call cannot be made. */
async function executeOnceMore(context: CallerContext, what: Subject, tracer: TransactionTracer): Promise<void> {
  if (typeof what === 'object') {
    await boundedTrace(context, undefined, (guard) => callOnceMore(context, what, tracer, guard))
    return
  }
  const found = context.chain.findTransaction(what)
  if (!found) throw new RpcRefusedError('server', 'transaction not found')
  const { block, included } = found
  await boundedTrace(context, undefined, (guard) =>
    traceIncluded(context, { block, only: included }, guard, () => tracer),
  )
}

async function callOnceMore(
  context: CallerContext,
  { args, ref, state: overrides, block: pretended }: ExecutedCall,
  tracer: TransactionTracer,
  guard: ExecutionGuard,
): Promise<void> {
  const { runner, spec } = context
  const block = requireStateBlock(context, ref)
  const env = overrideEnv(context.environment(block), pretended)
  const request = toCallRequest(args, { chainId: spec.chainId, baseFee: env.baseFee })
  const state = await stateBefore(context, block, undefined, guard)
  const places = placesOf(env, runner.engine.precompiles)
  const precompiles = await applyStateOverride(state, overrides, places, guard)
  const gas = capGas(request.gas, runner.limits.gasCap)
  await runCall(runner, request, state, { ...env, precompiles }, gas, guard, tracer)
}
