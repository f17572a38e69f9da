import { toQuantity } from '#primitives/hex.ts'
import { createAccessList } from '../../../evm/calls/create-access-list.ts'
import { callArgs } from '../../calls/call-params.ts'
import { NO_BLOCK_OVERRIDE, NO_STATE_OVERRIDE, stateOverride } from '../../calls/override-params.ts'
import { prepareCall } from '../../calls/prepare-call.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { blockRef } from '../../params/block-params.ts'
import { optional } from '../../params/param.ts'

/** Access lists. */
export const ACCESS_LIST_METHODS = {
  /** The access list that a call would best carry, and the gas that it then uses. */
  eth_createAccessList: defineMethod(
    [callArgs, optional(blockRef, 'latest'), optional(stateOverride, NO_STATE_OVERRIDE)],
    async (context, args, ref, overrides) => {
      const [request, callContext, guard] = await prepareCall(context, args, ref, overrides, NO_BLOCK_OVERRIDE)
      const { accessList, gasUsed, failure } = await createAccessList(context.runner, request, callContext, guard)
      return { accessList, ...(failure !== undefined && { error: failure }), gasUsed: toQuantity(gasUsed) }
    },
    { queue: 'call' },
  ),
} satisfies Partial<MethodTable>
