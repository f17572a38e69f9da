import type { Address, Hex } from '#primitives/hex.ts'
import type { RpcPrestate, RpcPrestateDiff } from '#rpc-types/methods/debug.ts'
import type { RpcFlatTrace, RpcReplay } from '#rpc-types/methods/trace.ts'
import type { TransactionTracer } from '../../../evm/tracer.ts'
import { combineTracers } from '../../tracers/combine-tracers.ts'
import { createFlatCallTracer } from '../../tracers/flat-call-tracer.ts'
import { createPrestateTracer } from '../../tracers/prestate-tracer.ts'
import type { ResultTracer } from '../../tracers/result-tracer.ts'
import { stateDiffOf } from '../../tracers/state-diff.ts'
import type { TraceBudget } from '../../tracers/trace-budget.ts'
import { AS_PARITY } from '../../tracers/trace-flat.ts'

const WHAT_CHANGED = { diffMode: true, disableCode: false, disableStorage: false, includeEmpty: false }

/** Watches what a replay tells of. */
export interface ReplayTracer extends TransactionTracer {
  readonly flat: ResultTracer<readonly RpcFlatTrace[]>
  readonly changes: ResultTracer<RpcPrestate | RpcPrestateDiff> | undefined
}

/** @param types - What is wanted. */
export function createReplayTracer(
  types: ReadonlySet<string>,
  precompiles: ReadonlySet<Address>,
  budget: TraceBudget,
): ReplayTracer {
  const flat = createFlatCallTracer(AS_PARITY, precompiles, budget, undefined)
  const changes = types.has('stateDiff') ? createPrestateTracer(WHAT_CHANGED, budget) : undefined
  return { ...combineTracers(changes ? [flat, changes] : [flat]), flat, changes }
}

/** What the tracer has seen, as far as it is wanted. */
export function replayOf({ flat, changes }: ReplayTracer, types: ReadonlySet<string>): RpcReplay {
  return {
    output: outputOf(flat.result()[0]),
    trace: types.has('trace') ? flat.result() : [],
    stateDiff: changes ? stateDiffOf(changes.result() as RpcPrestateDiff) : null,
    vmTrace: null,
  }
}

/** Return data, revert data, or the code of what was created. */
function outputOf(top: RpcFlatTrace | undefined): Hex {
  if (!top?.result) return '0x'
  return 'code' in top.result ? top.result.code : top.result.output
}
