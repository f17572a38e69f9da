import type { IncludedTransaction } from '../../payload/block.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { NodeContext } from '../context.ts'
import { placeOf, subjectOf } from './create-tracer.ts'
import { createFlatCallTracer } from './flat-call-tracer.ts'
import { type Replay, traceIncluded } from './replay.ts'
import { TraceBudget } from './trace-budget.ts'

/** Options of the flat call tracer that give Parity's output. */
export const AS_PARITY = { asParity: true, convertErrors: true, withPrecompiles: false }

/** Traces a block's transactions into flat frames, as the `trace_` methods return them. */
export function traceFlat(
  context: Pick<NodeContext, 'chain' | 'environment' | 'runner'>,
  replay: Replay,
  guard: ExecutionGuard,
  budget = new TraceBudget(context.runner.limits),
) {
  const { precompiles } = context.runner.engine
  const create = (included: IncludedTransaction) =>
    createFlatCallTracer(AS_PARITY, precompiles, budget, placeOf(subjectOf(replay.block, included, precompiles)))
  return traceIncluded(context, replay, guard, create)
}
