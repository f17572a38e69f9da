import type { RpcTransactionOpcodeGas } from '#rpc-types/methods/trace.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { blockRef, findBlock } from '../../params/block-params.ts'
import { hash } from '../../params/hex-params.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { createOpcodeGasTracer } from '../../tracers/opcode-gas-tracer.ts'
import { type Replay, traceIncluded } from '../../tracers/replay.ts'

/** Gas by opcode, as in reth. */
export const TRACE_OPCODE_METHODS = {
  /** `null` without such a transaction, and for one that is still in the mempool. */
  trace_transactionOpcodeGas: defineMethod(
    [hash],
    async (context, txHash) => {
      const found = context.chain.findTransaction(txHash)
      if (!found) return null
      const { block, included } = found
      const [traced] = await opcodeGasOf(context, { block, only: included })
      return traced ?? null
    },
    { queue: 'trace' },
  ),

  /** `null` without such a block; `pending` is the live one. */
  trace_blockOpcodeGas: defineMethod(
    [blockRef],
    async (context, ref) => {
      const block = findBlock(context, ref)
      if (!block) return null
      const { hash: blockHash, header } = block
      return { blockHash, blockNumber: header.number, transactions: await opcodeGasOf(context, { block }) }
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

function opcodeGasOf(context: CallerContext, replay: Replay): Promise<readonly RpcTransactionOpcodeGas[]> {
  return boundedTrace(context, undefined, async (guard) => {
    const create = () => createOpcodeGasTracer(context.runner.engine)
    const traced = await traceIncluded(context, replay, guard, create)
    return traced.map(({ included, tracer }) => ({
      transactionHash: included.tx.hash,
      opcodeGas: tracer.result(),
    }))
  })
}
