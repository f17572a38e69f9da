import { invariant } from '#primitives/invariant.ts'
import { separateCodes } from '../../evm/calls/state-override.ts'
import type { TransactionTracer } from '../../evm/tracer.ts'
import type { Block, IncludedTransaction } from '../../payload/block.ts'
import { type ReplayedBlock, replayBlock } from '../../payload/replay-block.ts'
import { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { NodeContext } from '../context.ts'
import { RpcRefusedError } from '../errors.ts'

/**
 * The state after the block, or as its transaction `index` finds it.
 *
 * @throws {RpcRefusedError} If there is no such transaction.
 */
export async function stateBefore(
  context: NodeContext,
  block: Block,
  index: number | undefined,
  guard: ExecutionGuard,
): Promise<WorldState> {
  if (index === undefined) return new WorldState(separateCodes(block.state))
  if (index >= block.transactions.length) {
    throw new RpcRefusedError('server', `transaction index ${index} out of range for block ${block.hash}`)
  }
  return replayBlock({ ...context.runner, guard }, replayedBlock(context, block), index)
}

/**
 * A block with what it was executed on.
 *
 * @param parent - Its parent, for who keeps a block while others may replace it; by default looked up.
 * @throws {RpcRefusedError} For the genesis block, which nothing was executed for.
 */
export function replayedBlock(
  context: Pick<NodeContext, 'chain' | 'environment'>,
  block: Block,
  parent: Block | undefined = context.chain.blockByNumber(block.header.number - 1),
): ReplayedBlock {
  const { number } = block.header
  if (number === 0) throw new RpcRefusedError('server', 'genesis is not traceable')
  invariant(parent?.hash === block.header.parentHash, `block ${number} does not stand on the chain`)
  return { block, parent, env: context.environment(block) }
}

/** What to execute once more: all transactions of a block, or `only` one. */
export interface Replay {
  readonly block: Block
  readonly only?: IncludedTransaction
  /** As in {@link replayedBlock}. */
  readonly parent?: Block | undefined
}

/** Executes transactions of a block once more, each with a tracer of its own. */
export async function traceIncluded<Tracer extends TransactionTracer>(
  context: Pick<NodeContext, 'chain' | 'environment' | 'runner'>,
  { block, only, parent }: Replay,
  guard: ExecutionGuard,
  create: (included: IncludedTransaction) => Tracer,
): Promise<readonly { readonly included: IncludedTransaction; readonly tracer: Tracer }[]> {
  const { transactions } = block
  const last = only ?? transactions.at(-1)
  if (!last) return []
  const traced = (only ? [only] : transactions).map((included) => ({ included, tracer: create(included) }))
  const replayed = replayedBlock(context, block, parent)
  const first = only?.transactionIndex ?? 0
  await replayBlock(
    { ...context.runner, guard },
    replayed,
    last.transactionIndex + 1,
    ({ transactionIndex }) => traced[transactionIndex - first]?.tracer,
  )
  return traced
}
