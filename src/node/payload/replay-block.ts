import { invariant } from '#primitives/invariant.ts'
import type { BlockEnv } from '../evm/block-env.ts'
import { separateCodes } from '../evm/calls/state-override.ts'
import type { Engine } from '../evm/engine.ts'
import type { ExecutionGuard } from '../evm/message.ts'
import type { TransactionTracer } from '../evm/tracer.ts'
import { applyTransaction } from '../evm/transactions/apply-transaction.ts'
import { applySystemCalls } from '../evm/transactions/system-calls.ts'
import { applyDifference } from '../state/state-difference.ts'
import { WorldState } from '../state/world-state.ts'
import type { Block, IncludedTransaction } from './block.ts'

/** The input of a replay. */
export interface ReplayDeps {
  readonly engine: Engine
  readonly chainId: number
  readonly guard: ExecutionGuard
}

/** A block with the state and environment in which it was executed. */
export interface ReplayedBlock {
  readonly block: Block
  readonly parent: Block
  readonly env: BlockEnv
}

/**
 * Executes a block again, up to before transaction `end`.
 *
 * @param watch - Returns a tracer for each transaction.
 * @returns The state before transaction `end`.
 * @throws {ExecutionTimeoutError} From the guard.
 * @throws {InvariantError} If an outcome differs from the first execution.
 */
export async function replayBlock(
  { engine, chainId, guard }: ReplayDeps,
  { block, parent, env }: ReplayedBlock,
  end: number,
  watch?: (included: IncludedTransaction) => TransactionTracer | undefined,
): Promise<WorldState> {
  const { transactions, edits, header } = block
  const state = new WorldState(separateCodes(parent.state))
  await applySystemCalls(engine, state, env, header, guard)
  for (let position = 0; ; position++) {
    for (const edit of edits) {
      if (edit.position !== position) continue
      state.beginTransaction()
      applyDifference(state, edit.difference)
    }
    const included = transactions[position]
    if (position >= end || !included) return state
    const applied = await applyTransaction(engine, state, env, included.tx, chainId, guard, watch?.(included))
    const { gasUsed } = included.receipt
    invariant(
      applied.gasUsed === gasUsed,
      `transaction ${included.tx.hash} used ${applied.gasUsed} gas, not ${gasUsed}`,
    )
    await guard.checkpoint()
  }
}
