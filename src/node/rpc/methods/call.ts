import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { defineMethod } from '../define-method.ts'
import { blockRef } from '../params/block-params.ts'
import { callArgs } from '../params/call-params.ts'
import { blockOverride, NO_BLOCK_OVERRIDE, NO_STATE_OVERRIDE, stateOverride } from '../params/override-params.ts'
import { optional } from '../params/param.ts'
import { prepareCall } from '../prepare-call.ts'

/** `eth_call`: what a call would return at a block, with that block's state and environment. */
export const ethCall = defineMethod(
  'eth_call',
  [
    callArgs,
    optional(blockRef, 'latest'),
    optional(stateOverride, NO_STATE_OVERRIDE),
    optional(blockOverride, NO_BLOCK_OVERRIDE),
  ],
  async (context, args, ref, state, block) =>
    bytesToHex(await context.call(...(await prepareCall(context, args, ref, state, block)))),
)

/** `eth_estimateGas`: gas that a call needs, by default in the live block. */
export const ethEstimateGas = defineMethod(
  'eth_estimateGas',
  [
    callArgs,
    optional(blockRef, 'pending'),
    optional(stateOverride, NO_STATE_OVERRIDE),
    optional(blockOverride, NO_BLOCK_OVERRIDE),
  ],
  async (context, args, ref, state, block) =>
    toQuantity(await context.estimateGas(...(await prepareCall(context, args, ref, state, block)))),
)
