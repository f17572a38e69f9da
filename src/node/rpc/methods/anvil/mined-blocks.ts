import { bytesToHex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcMinedTransaction } from '#rpc-types/methods/evm.ts'
import type { RpcBlock } from '#rpc-types/objects.ts'
import type { Execution } from '../../../evm/message.ts'
import type { TransactionTracer } from '../../../evm/tracer.ts'
import type { Block, IncludedTransaction } from '../../../payload/block.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { decodeRevertReason } from '../../calls/revert-reason.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { formatFullBlockInSlices } from '../../format/block.ts'
import { optional, type Param, ParamError } from '../../params/param.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { traceIncluded } from '../../tracers/replay.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'
import { mineOptions } from './anvil-params.ts'

type MineOptions = ReturnType<typeof mineOptions.parse>

/** Most blocks of an answer. */
const MAX_BLOCKS = 256
/** Approximate characters of a transaction without its input and output. */
const TRANSACTION_CHARACTERS = 1_000

const ONE_BLOCK: MineOptions = { timestamp: undefined, blocks: undefined }

/** As of `evm_mine`, of blocks that fit into an answer. */
const fewBlocks: Param<MineOptions> = {
  parse(value) {
    const options = mineOptions.parse(value)
    if ((options.blocks ?? 1) <= MAX_BLOCKS) return options
    throw new ParamError(`${options.blocks} blocks are too many to describe, at most ${MAX_BLOCKS}: use evm_mine`)
  },
}

/** Seals that tell what they have sealed. */
export const ANVIL_MINED_METHODS = {
  /** What each transaction has returned is found by executing the blocks once more. */
  evm_mine_detailed: defineMethod(
    [optional(fewBlocks, ONE_BLOCK)],
    async (context, { timestamp, blocks = 1 }) => {
      const { chain, control, caller } = context
      if (timestamp !== undefined) await control.setNextTimestamp(timestamp)
      const { number } = (await control.seal(blocks, undefined, caller)).header
      const sealed = Array.from({ length: blocks }, (_, i) => chain.blockByNumber(number - blocks + 1 + i))
      const budget = new TraceBudget(context.runner.limits)
      try {
        return await boundedTrace(context, undefined, async (guard) => {
          const answer: RpcBlock<RpcMinedTransaction>[] = []
          for (const block of sealed) {
            invariant(block, 'a block that was just sealed is on the chain')
            answer.push(await describe(context, block, budget, guard))
          }
          return answer
        })
      } catch (error) {
        if (!(error instanceof RpcRefusedError)) throw error
        const message = `the blocks are sealed, but cannot be described: ${error.message}`
        throw new RpcRefusedError(error.code, message, { cause: error })
      }
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

/** What a transaction has returned; nothing, if it ended in an exception. */
class OutputTracer implements TransactionTracer {
  readonly #budget: TraceBudget
  #result: Pick<RpcMinedTransaction, 'output' | 'revertReason'> = {}

  constructor({ tx }: IncludedTransaction, budget: TraceBudget) {
    this.#budget = budget
    budget.spend(TRANSACTION_CHARACTERS + 2 * tx.input.length)
  }

  end({ output, failure }: Execution): void {
    if (failure?.kind === 'halted') return
    this.#budget.spend(2 * output.length)
    const reason = failure && decodeRevertReason(output)
    this.#result = { output: bytesToHex(output), ...(reason !== undefined && { revertReason: reason }) }
  }

  result() {
    return this.#result
  }
}

async function describe(
  context: CallerContext,
  block: Block,
  budget: TraceBudget,
  guard: ExecutionGuard,
): Promise<RpcBlock<RpcMinedTransaction>> {
  const traced = await traceIncluded(context, { block }, guard, (included) => new OutputTracer(included, budget))
  const { transactions, ...rest } = await formatFullBlockInSlices(block, guard)
  return { ...rest, transactions: transactions.map((tx, i) => ({ ...tx, ...traced[i]?.tracer.result() })) }
}
