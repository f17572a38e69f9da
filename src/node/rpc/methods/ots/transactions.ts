import type { Hash } from '#primitives/hex.ts'
import type { RpcOtsFrame, RpcOtsOperation } from '#rpc-types/methods/ots.ts'
import type { RpcFlatTrace } from '#rpc-types/methods/trace.ts'
import { mapInSlices } from '../../../turns/map-in-slices.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { hash } from '../../params/hex-params.ts'
import { boundedTrace } from '../../tracers/bounded-trace.ts'
import { traceFlat } from '../../tracers/trace-flat.ts'

/** What happened within a transaction. */
export const OTS_TRANSACTION_METHODS = {
  /** In the order in which they happened. */
  ots_getInternalOperations: defineMethod(
    [hash],
    async (context, txHash) => {
      const { traces } = await traceTransaction(context, txHash)
      const operations: RpcOtsOperation[] = []
      let failedDepth = Number.POSITIVE_INFINITY
      for (const trace of traces) {
        const depth = trace.traceAddress.length
        // All that a failed frame has begun is undone with it.
        if (depth > failedDepth) continue
        failedDepth = trace.error === undefined ? Number.POSITIVE_INFINITY : depth
        const operation = depth > 0 && trace.error === undefined ? operationOf(trace) : undefined
        if (operation) operations.push(operation)
      }
      return operations
    },
    { queue: 'trace' },
  ),

  /** Data of a revert. */
  ots_getTransactionError: defineMethod(
    [hash],
    async (context, txHash) => {
      const { traces } = await traceTransaction(context, txHash)
      const [top] = traces
      return top?.error === undefined ? '0x' : outputOf(top)
    },
    { queue: 'trace' },
  ),

  /** Each with its depth. */
  ots_traceTransaction: defineMethod(
    [hash],
    async (context, txHash) => {
      const { traces } = await traceTransaction(context, txHash)
      return mapInSlices(traces, formatFrame, guardFor(context))
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

async function traceTransaction(context: CallerContext, txHash: Hash) {
  const found = context.chain.findTransaction(txHash)
  if (!found) throw new RpcRefusedError('server', 'transaction not found')
  const { block, included } = found
  const [traced] = await boundedTrace(context, undefined, (guard) =>
    traceFlat(context, { block, only: included }, guard),
  )
  return { traces: traced?.tracer.result() ?? [] }
}

function operationOf(trace: RpcFlatTrace): RpcOtsOperation | undefined {
  switch (trace.type) {
    case 'call': {
      const { callType, from, to, value } = trace.action
      return callType === 'call' && value !== '0x0' ? { type: 0, from, to, value } : undefined
    }
    case 'create': {
      const { from, value, creationMethod } = trace.action
      const to = trace.result?.address
      return to && { type: creationMethod === 'create2' ? 3 : 2, from, to, value }
    }
    case 'suicide': {
      const { address, refundAddress, balance } = trace.action
      return { type: 1, from: address, to: refundAddress, value: balance }
    }
    default:
      return trace
  }
}

function outputOf(trace: RpcFlatTrace) {
  if (!trace.result) return '0x'
  return 'code' in trace.result ? trace.result.code : trace.result.output
}

function formatFrame(trace: RpcFlatTrace): RpcOtsFrame {
  const depth = trace.traceAddress.length
  const output = outputOf(trace)
  switch (trace.type) {
    case 'call': {
      const { callType, from, to, value, input } = trace.action
      const type = callType.toUpperCase() as RpcOtsFrame['type']
      const sends = callType === 'call' || callType === 'callcode'
      return { type, depth, from, to, value: sends ? value : null, input, output }
    }
    case 'create': {
      const { from, value, init, creationMethod } = trace.action
      const type = creationMethod === 'create2' ? 'CREATE2' : 'CREATE'
      const to = (trace.error === undefined && trace.result?.address) || null
      return { type, depth, from, to, value, input: init, output }
    }
    case 'suicide': {
      const { address, refundAddress, balance } = trace.action
      return { type: 'SELFDESTRUCT', depth, from: address, to: refundAddress, value: balance, input: '0x', output }
    }
    default:
      return trace
  }
}
