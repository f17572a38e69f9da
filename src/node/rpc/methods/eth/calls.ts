import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { type BlockOverride, overrideEnv } from '../../../evm/calls/block-override.ts'
import { type CallContext, CallFailedError, type CallRequest } from '../../../evm/calls/call.ts'
import { createAccessList } from '../../../evm/calls/create-access-list.ts'
import { withTimeoutAsFailure } from '../../../evm/calls/execute-call.ts'
import { overrideState, type StateOverride } from '../../../evm/calls/state-override.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallArgs, callArgs } from '../../calls/call-params.ts'
import { toCallRequest, unsignedHash } from '../../calls/call-request.ts'
import { blockOverride, NO_BLOCK_OVERRIDE, NO_STATE_OVERRIDE, stateOverride } from '../../calls/override-params.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { type BlockContext, type BlockRef, blockRef, requireStateBlock } from '../../params/block-params.ts'
import { optional } from '../../params/param.ts'

/** Calls without a transaction. */
export const ETH_CALL_METHODS = {
  /** Output of a call on the state and in the environment of a block. */
  eth_call: defineMethod(
    [
      callArgs,
      optional(blockRef, 'latest'),
      optional(stateOverride, NO_STATE_OVERRIDE),
      optional(blockOverride, NO_BLOCK_OVERRIDE),
    ],
    async (context, args, ref, state, block) =>
      bytesToHex(
        await withData(context, async () => context.call(...(await prepareCall(context, args, ref, state, block)))),
      ),
    { queue: 'call' },
  ),

  /** Gas needed by a call, by default in the live block. */
  eth_estimateGas: defineMethod(
    [
      callArgs,
      optional(blockRef, 'pending'),
      optional(stateOverride, NO_STATE_OVERRIDE),
      optional(blockOverride, NO_BLOCK_OVERRIDE),
    ],
    async (context, args, ref, state, block) =>
      toQuantity(
        await withData(context, async () =>
          context.estimateGas(...(await prepareCall(context, args, ref, state, block))),
        ),
      ),
    { queue: 'call', readsPending: true },
  ),

  /** The best access list for a call, and its gas with it. */
  eth_createAccessList: defineMethod(
    [callArgs, optional(blockRef, 'latest'), optional(stateOverride, NO_STATE_OVERRIDE)],
    async (context, args, ref, overrides) => {
      const [request, callContext, guard] = await prepareCall(context, args, ref, overrides, NO_BLOCK_OVERRIDE)
      const { chainId } = context.spec
      const nonce = callContext.state.account(request.from)?.nonce ?? 0n
      const { accessList, gasUsed, failure } = await createAccessList(
        context.runner,
        request,
        callContext,
        guard,
        (list, gas) => unsignedHash(args, { ...request, chainId, gas, accessList: list, nonce: args.nonce ?? nonce }),
      )
      return { accessList, ...(failure !== undefined && { error: failure }), gasUsed: toQuantity(gasUsed) }
    },
    { queue: 'call' },
  ),
} satisfies Partial<MethodTable>

/**
 * Has the error of a call that ends in an exception say that there is no revert data, where the node is to tell failures as
 * Hardhat does: its matchers know a failed call by that.
 */
async function withData<Result>({ spec }: Pick<CallerContext, 'spec'>, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    const isException = error instanceof CallFailedError && error.code === 'vm-error'
    if (!isException || !spec.throwOnTransactionFailures) throw error
    throw new RpcRefusedError('server', error.message, { data: '0x', stackTrace: error.stackTrace, cause: error })
  }
}

/**
 * Prepares a call on a block: its state and environment with the overrides applied, and the guard to run it under.
 *
 * @throws {RpcRefusedError} If there is no such block, or the call object contradicts itself.
 * @throws {CallFailedError} `bad-override`.
 */
async function prepareCall(
  context: BlockContext & Pick<CallerContext, 'clock' | 'environment' | 'runner' | 'caller'>,
  args: CallArgs,
  ref: BlockRef,
  state: StateOverride,
  pretended: BlockOverride,
): Promise<readonly [CallRequest, CallContext, ExecutionGuard]> {
  const block = requireStateBlock(context, ref)
  const real = context.environment(block)
  const env = pretended === NO_BLOCK_OVERRIDE ? real : overrideEnv(real, pretended)
  const request = toCallRequest(args, { chainId: context.spec.chainId, baseFee: env.baseFee })
  const { precompiles } = context.runner.engine
  const guard = guardFor(context, context.runner.limits.timeoutMs)
  const given = { state: block.state, env }
  if (state.size === 0) return [request, given, guard]
  return [request, await withTimeoutAsFailure(() => overrideState(given, state, precompiles, guard)), guard]
}
