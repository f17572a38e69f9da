import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { callArgs } from '../../calls/call-params.ts'
import { blockOverride, NO_BLOCK_OVERRIDE, NO_STATE_OVERRIDE, stateOverride } from '../../calls/override-params.ts'
import { prepareCall } from '../../calls/prepare-call.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { blockRef } from '../../params/block-params.ts'
import { optional } from '../../params/param.ts'

/** Calls that are made without a transaction. */
export const CALL_METHODS = {
  /** What a call would return at a block, with that block's state and environment. */
  eth_call: defineMethod(
    [
      callArgs,
      optional(blockRef, 'latest'),
      optional(stateOverride, NO_STATE_OVERRIDE),
      optional(blockOverride, NO_BLOCK_OVERRIDE),
    ],
    async (context, args, ref, state, block) =>
      bytesToHex(await context.call(...(await prepareCall(context, args, ref, state, block)))),
    { queue: 'call' },
  ),

  /** Gas that a call needs, by default in the live block. */
  eth_estimateGas: defineMethod(
    [
      callArgs,
      optional(blockRef, 'pending'),
      optional(stateOverride, NO_STATE_OVERRIDE),
      optional(blockOverride, NO_BLOCK_OVERRIDE),
    ],
    async (context, args, ref, state, block) =>
      toQuantity(await context.estimateGas(...(await prepareCall(context, args, ref, state, block)))),
    { queue: 'call' },
  ),
} satisfies Partial<MethodTable>
