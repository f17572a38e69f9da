import type { Hash } from '#primitives/hex.ts'
import type { RpcStackTrace } from '#rpc-types/stack-trace.ts'
import type { CallContext, CallRequest } from '../../evm/calls/call.ts'
import { type CallRunner, capGas, tryCall } from '../../evm/calls/execute-call.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { NodeContext } from '../context.ts'
import { createExecutionTracer } from '../tracers/execution-tracer.ts'
import { traceIncluded } from '../tracers/replay.ts'
import { TraceBudget } from '../tracers/trace-budget.ts'
import type { BuildsOfNode } from './known-builds.ts'
import { stackTraceOf } from './stack-trace.ts'

/** What a transaction is executed once more with. */
export type ExplainDeps = Pick<NodeContext, 'chain' | 'environment' | 'runner'>

/** Executes a call that failed once more, and says where; `undefined` where no contract in it is known. */
export async function explainCall(
  runner: CallRunner,
  request: CallRequest,
  context: CallContext,
  guard: ExecutionGuard,
  builds: BuildsOfNode,
): Promise<RpcStackTrace | undefined> {
  const tracer = createExecutionTracer(runner.engine, new TraceBudget(runner.limits))
  await tryCall(runner, request, context, capGas(request.gas, runner.limits.gasCap), guard, tracer)
  return stackTraceOf(tracer.result(), builds)
}

/** Explains why a transaction of the chain failed; `undefined` also if it did not fail. */
export async function explainTransaction(
  context: ExplainDeps,
  hash: Hash,
  guard: ExecutionGuard,
  builds: BuildsOfNode,
): Promise<RpcStackTrace | undefined> {
  const found = context.chain.findTransaction(hash)
  if (!found) return undefined
  const { block, included } = found
  const tracer = createExecutionTracer(context.runner.engine, new TraceBudget(context.runner.limits))
  await traceIncluded(context, { block, only: included }, guard, () => tracer)
  return stackTraceOf(tracer.result(), builds)
}
