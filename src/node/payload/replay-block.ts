import type { BlockEnv } from '../evm/block-env.ts'
import { separateCodes } from '../evm/calls/state-override.ts'
import type { Engine } from '../evm/engine.ts'
import type { TransactionTracer } from '../evm/tracer.ts'
import {
  type AppliedTransaction,
  applyTransaction,
  InvalidTransactionError,
} from '../evm/transactions/apply-transaction.ts'
import { applySystemCalls } from '../evm/transactions/system-calls.ts'
import { applyDifference } from '../state/state-difference.ts'
import { WorldState } from '../state/world-state.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import type { Block, IncludedTransaction } from './block.ts'

/**
 * A block has another outcome than it says. That is so in the chain of a crafted file: an import does not execute its
 * sealed blocks.
 */
export class BlockReplayError extends Error {
  override readonly name = 'BlockReplayError'

  constructor({ header }: Block, reason: string, options?: ErrorOptions) {
    super(`block ${header.number} cannot be executed again: ${reason}`, options)
  }
}

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
 * @throws {BlockReplayError} If an outcome differs from the first execution.
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
    const { tx, receipt } = included
    let applied: AppliedTransaction
    try {
      applied = await applyTransaction(engine, state, env, tx, chainId, guard, watch?.(included))
    } catch (error) {
      if (!(error instanceof InvalidTransactionError)) throw error
      throw new BlockReplayError(block, `transaction ${tx.hash}: ${error.message}`, { cause: error })
    }
    const { gasUsed, l1 } = applied
    if (gasUsed !== receipt.gasUsed) {
      throw new BlockReplayError(block, `transaction ${tx.hash} used ${gasUsed} gas, not ${receipt.gasUsed}`)
    }
    if (l1?.fee !== receipt.l1?.fee) {
      throw new BlockReplayError(
        block,
        `transaction ${tx.hash} paid ${l1?.fee ?? 0n} wei for L1, not ${receipt.l1?.fee ?? 0n}`,
      )
    }
    await guard.checkpoint()
  }
}
