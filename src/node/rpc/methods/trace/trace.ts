import type { Address, Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcFlatTrace, RpcLocalizedTrace, RpcReplay } from '#rpc-types/methods/trace.ts'
import type { Block } from '../../../payload/block.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { mapInSlices } from '../../../turns/map-in-slices.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { blocksOf } from '../../logs/find-logs.ts'
import { blockRef, findBlock } from '../../params/block-params.ts'
import { hash } from '../../params/hex-params.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { charactersOf } from '../../tracers/flat-call-tracer.ts'
import { type Replay, traceIncluded } from '../../tracers/replay.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'
import { traceFlat } from '../../tracers/trace-flat.ts'
import { createReplayTracer, replayOf } from './replay-tracer.ts'
import { type TraceFilter, traceAddress, traceFilter, traceTypes } from './trace-params.ts'

/** Parity’s traces. */
export const TRACE_METHODS = {
  /** `null` without such a transaction, and for one that is still in the mempool. */
  trace_transaction: defineMethod([hash], traceTransaction, { queue: 'trace' }),

  /** `null` without such a transaction or frame. */
  trace_get: defineMethod(
    [hash, traceAddress],
    async (context, txHash, address) => {
      const traces = await traceTransaction(context, txHash)
      return traces?.find((trace) => trace.traceAddress.join() === address.join()) ?? null
    },
    { queue: 'trace' },
  ),

  /** `null` without such a block; `pending` is the live one. */
  trace_block: defineMethod(
    [blockRef],
    (context, ref) => {
      const block = findBlock(context, ref)
      return block ? boundedTrace(context, undefined, (guard) => traceBlock(context, { block }, guard)) : null
    },
    { queue: 'trace' },
  ),

  /** Oldest first. Blocks without transactions cost nothing; of others the parent's state has to be kept. */
  trace_filter: defineMethod(
    [traceFilter],
    (context, filter) => {
      const blocks = blocksOf(context, filter)
      return boundedTrace(context, undefined, (guard) => filterTraces(context, blocks, filter, guard))
    },
    { queue: 'trace' },
  ),

  /** Sealed or pre-confirmed. */
  trace_replayTransaction: defineMethod(
    [hash, traceTypes],
    async (context, txHash, types) => {
      const found = context.chain.findTransaction(txHash)
      if (!found) throw new RpcRefusedError('server', 'transaction not found')
      const { block, included } = found
      const [replay] = await boundedTrace(context, undefined, (guard) =>
        replayAll(context, { block, only: included }, types, guard),
      )
      invariant(replay, 'a transaction that is executed is traced')
      return replay
    },
    { queue: 'trace' },
  ),

  /** `null` without such a block; `pending` is the live one. */
  trace_replayBlockTransactions: defineMethod(
    [blockRef, traceTypes],
    async (context, ref, types) => {
      const block = findBlock(context, ref)
      if (!block) return null
      const replays = await boundedTrace(context, undefined, (guard) => replayAll(context, { block }, types, guard))
      return block.transactions.map(({ tx }, i) => ({ ...(replays[i] as RpcReplay), transactionHash: tx.hash }))
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

async function traceTransaction(context: CallerContext, txHash: Hash): Promise<readonly RpcLocalizedTrace[] | null> {
  const found = context.chain.findTransaction(txHash)
  if (!found) return null
  const { block, included } = found
  return boundedTrace(context, undefined, (guard) => traceBlock(context, { block, only: included }, guard))
}

/** The frames of transactions of a block. */
async function traceBlock(
  context: CallerContext,
  replay: Replay,
  guard: ExecutionGuard,
  budget = new TraceBudget(context.runner.limits),
): Promise<readonly RpcLocalizedTrace[]> {
  const traced = await traceFlat(context, replay, guard, budget)
  return traced.flatMap(({ tracer }) => tracer.result())
}

/** What the caller asked for of transactions of a block. */
async function replayAll(
  context: CallerContext,
  replay: Replay,
  types: ReadonlySet<string>,
  guard: ExecutionGuard,
): Promise<readonly RpcReplay[]> {
  const budget = new TraceBudget(context.runner.limits)
  const create = () => createReplayTracer(types, context.runner.engine.precompiles, budget)
  const traced = await traceIncluded(context, replay, guard, create)
  return mapInSlices(traced, ({ tracer }) => replayOf(tracer, types), guard)
}

/** @param blocks - Each the parent of the next. */
async function filterTraces(
  context: CallerContext,
  blocks: readonly Block[],
  filter: TraceFilter,
  guard: ExecutionGuard,
): Promise<readonly RpcLocalizedTrace[]> {
  const found: RpcLocalizedTrace[] = []
  const budget = new TraceBudget(context.runner.limits)
  let left = filter.after
  if (filter.count === 0) return found
  const [first] = blocks
  // Looked up at once, as a reorg may replace them before they are traced.
  const parents = [first && context.chain.blockByHash(first.header.parentHash), ...blocks]
  for (const [i, block] of blocks.entries()) {
    const pause = guard.checkpoint()
    if (pause) await pause
    for (const trace of await traceBlock(context, { block, parent: parents[i] }, guard, budget.rest())) {
      if (!isSelected(trace, filter) || left-- > 0) continue
      budget.spend(charactersOf(trace))
      found.push(trace)
      if (found.length >= filter.count) return found
    }
  }
  return found
}

function isSelected(trace: RpcFlatTrace, { fromAddress, toAddress, matchesBoth }: TraceFilter): boolean {
  const [from, to] = endsOf(trace)
  if (fromAddress.size === 0) return toAddress.size === 0 || toAddress.has(to ?? '0x')
  const hasFrom = fromAddress.has(from)
  if (toAddress.size === 0) return hasFrom
  const hasTo = toAddress.has(to ?? '0x')
  return matchesBoth ? hasFrom && hasTo : hasFrom || hasTo
}

/** Sender and receiver of a frame; a creation's receiver is the new contract. */
function endsOf(trace: RpcFlatTrace): readonly [from: Address, to: Address | undefined] {
  switch (trace.type) {
    case 'call':
      return [trace.action.from, trace.action.to]
    case 'create':
      return [trace.action.from, trace.result?.address]
    case 'suicide':
      return [trace.action.address, trace.action.refundAddress]
    default:
      return trace
  }
}
