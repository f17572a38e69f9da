import type { Address } from '#primitives/hex.ts'
import type { TransactionTracer } from '../../../evm/tracer.ts'
import { type IncludedTransaction, type SealedBlock, StatePrunedError } from '../../../payload/block.ts'
import { replayBlock } from '../../../payload/replay-block.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import type { CallerContext } from '../../define-method.ts'
import { replayedBlock } from '../../tracers/replay.ts'

/** Gas of the transactions that one search executes once more. */
const MAX_GAS = 1_000_000_000n
/** Gas of a transaction whose code, if it ran any, called nothing. */
const PLAIN_GAS = 21_000n

/** Finds the transactions that call an account, or are called by it, within their execution. */
export class InnerCalls {
  readonly #context: CallerContext
  readonly #account: Address
  readonly #guard: ExecutionGuard
  #gasLeft = MAX_GAS

  /** @param guard - Interrupts the executions. */
  constructor(context: CallerContext, account: Address, guard: ExecutionGuard) {
    this.#context = context
    this.#account = account
    this.#guard = guard
  }

  /**
   * The positions of such transactions among `candidates`, which are executed once more; none, if the state before the
   * block is no longer kept, or the gas of all blocks so far is too much.
   */
  async within(block: SealedBlock, candidates: readonly IncludedTransaction[]): Promise<ReadonlySet<number>> {
    const found = new Set<number>()
    const watched = new Set(
      candidates.filter(({ receipt }) => receipt.gasUsed > PLAIN_GAS).map(({ transactionIndex }) => transactionIndex),
    )
    const last = candidates.findLast(({ transactionIndex }) => watched.has(transactionIndex))
    if (!last || this.#gasLeft < 0n) return found
    this.#gasLeft -= last.receipt.cumulativeGasUsed
    if (this.#gasLeft < 0n) return found
    const watch = ({ transactionIndex }: IncludedTransaction): TransactionTracer | undefined => {
      if (!watched.has(transactionIndex)) return undefined
      return {
        enter: ({ from, to }) => {
          if (from === this.#account || to === this.#account) found.add(transactionIndex)
        },
      }
    }
    try {
      const replayed = replayedBlock(this.#context, block)
      await replayBlock({ ...this.#context.runner, guard: this.#guard }, replayed, last.transactionIndex + 1, watch)
    } catch (error) {
      if (!(error instanceof StatePrunedError)) throw error
    }
    return found
  }
}
