import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { toCallRequest } from '../call-request.ts'
import type { NodeContext } from '../context.ts'
import { defineMethod } from '../define-method.ts'
import { type BlockRef, blockRef } from '../params/block-params.ts'
import { type CallArgs, callArgs } from '../params/call-params.ts'
import { optional } from '../params/param.ts'
import { requireBlock } from '../resolve-block.ts'

/** `eth_call`: what a call would return at a block, with that block's state and environment. */
export const ethCall = defineMethod('eth_call', [callArgs, optional(blockRef, 'latest')], async (context, args, ref) =>
  bytesToHex(await context.call(...prepare(context, args, ref))),
)

/** `eth_estimateGas`: gas that a call needs, by default in the live block. */
export const ethEstimateGas = defineMethod(
  'eth_estimateGas',
  [callArgs, optional(blockRef, 'pending')],
  async (context, args, ref) => toQuantity(await context.estimateGas(...prepare(context, args, ref))),
)

function prepare(context: NodeContext, args: CallArgs, ref: BlockRef): Parameters<NodeContext['call']> {
  const block = requireBlock(context, ref)
  const env = context.environment(block)
  const request = toCallRequest(args, { chainId: context.spec.chainId, baseFee: env.baseFee })
  return [request, { state: block.state, env }]
}
