import { invariant } from '#primitives/invariant.ts'
import type { RpcTransactionTrace } from '#rpc-types/methods/debug.ts'
import { separateCodes } from '../../../evm/calls/state-override.ts'
import { applyTransaction, InvalidTransactionError } from '../../../evm/transactions/apply-transaction.ts'
import { applySystemCalls } from '../../../evm/transactions/system-calls.ts'
import type { Block } from '../../../payload/block.ts'
import { type DecodedBlock, decodeBlock } from '../../../payload/decode-block.ts'
import { hashHeader } from '../../../payload/header.ts'
import { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { TxRejectedError } from '../../../tx/rejection.ts'
import { RlpError } from '../../../tx/rlp-reader.ts'
import type { Transaction } from '../../../tx/transaction.ts'
import { validateTransaction } from '../../../tx/validate.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { data } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { createTracer } from '../../tracers/create-tracer.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'
import { type TraceConfig, traceConfig } from '../../tracers/trace-config-params.ts'
import { DEFAULT_CONFIG, traceBlock } from './trace.ts'

/** A block that this chain need not have. */
export const DEBUG_GIVEN_BLOCK_METHODS = {
  /** A block of this chain is traced with the edits of the state that were made in it, which its RLP does not have. */
  debug_traceBlock: defineMethod(
    [data, optional(traceConfig, DEFAULT_CONFIG)],
    (context, rlp, config) => {
      const given = decoded(rlp)
      const own = context.chain.blockByHash(hashHeader(given.header))
      if (own) return traceBlock(context, own, config)
      const { parentHash, number } = given.header
      const parent = context.chain.blockByHash(parentHash)
      if (parent?.header.number !== number - 1) refuse(`parent ${parentHash} not found`)
      return boundedTrace(context, config.timeoutMs, (guard) => traceGiven(context, given, parent, config, guard))
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

function decoded(rlp: Uint8Array): DecodedBlock {
  try {
    return decodeBlock(rlp)
  } catch (error) {
    if (!(error instanceof RlpError)) throw error
    return refuse(`could not decode block: ${error.describe('types.extblock')}`, error)
  }
}

/** Executes a block on its parent's state, with a tracer for each transaction. */
async function traceGiven(
  context: CallerContext,
  { header, transactions }: DecodedBlock,
  parent: Block,
  config: TraceConfig,
  guard: ExecutionGuard,
): Promise<readonly RpcTransactionTrace[]> {
  const { decoder, runner, spec } = context
  const { engine, chainId } = runner
  const { precompiles } = engine
  const env = context.environment({ ...parent, header })
  const blockHash = hashHeader(header)
  const budget = new TraceBudget(runner.limits)
  const traces: RpcTransactionTrace[] = []
  const state = new WorldState(separateCodes(parent.state))
  await applySystemCalls(engine, state, env, header, guard)
  let firstLogIndex = 0
  let gasLeft = header.gasLimit
  for (const [transactionPosition, raw] of transactions.entries()) {
    const place = { blockHash, blockNumber: header.number, transactionPosition, firstLogIndex, precompiles }
    try {
      const tx: Transaction = await decoder.decode(raw)
      validateTransaction(tx, { ...spec, gasLimit: gasLeft })
      const tracer = createTracer(config, { ...place, transactionHash: tx.hash }, budget)
      const { gasUsed, logs } = await applyTransaction(engine, state, env, tx, chainId, guard, tracer)
      gasLeft -= gasUsed
      firstLogIndex += logs.length
      traces.push({ txHash: tx.hash, result: tracer.result() })
    } catch (error) {
      if (!(error instanceof InvalidTransactionError) && !(error instanceof TxRejectedError)) throw error
      refuse(`could not apply tx ${transactionPosition}: ${error.message}`, error)
    }
    await guard.checkpoint()
  }
  invariant(traces.length === transactions.length, 'each transaction has a trace')
  return traces
}

function refuse(message: string, cause?: unknown): never {
  throw new RpcRefusedError('server', message, { cause })
}
