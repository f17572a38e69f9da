import { type BlockOverride, overrideEnv } from '../../evm/calls/block-override.ts'
import type { CallContext, CallRequest } from '../../evm/calls/call.ts'
import { withTimeoutAsFailure } from '../../evm/calls/execute-call.ts'
import { overrideState, type StateOverride } from '../../evm/calls/state-override.ts'
import type { ExecutionGuard } from '../../evm/message.ts'
import { guardFor } from '../caller-guard.ts'
import type { CallerContext } from '../define-method.ts'
import type { BlockRef } from '../params/block-params.ts'
import { requireBlock } from '../resolve-block.ts'
import type { CallArgs } from './call-params.ts'
import { toCallRequest } from './call-request.ts'

/**
 * A call object as a call on the state and in the environment of a block, with what the call pretends of both, and the
 * guard under which it has to run.
 *
 * @throws {RpcRefusedError} If there is no such block, or the call object contradicts itself.
 * @throws {CallFailedError} `bad-override`.
 */
export async function prepareCall(
  context: Pick<CallerContext, 'chain' | 'clock' | 'spec' | 'environment' | 'runner' | 'caller'>,
  args: CallArgs,
  ref: BlockRef,
  stateOverride: StateOverride,
  blockOverride: BlockOverride,
): Promise<readonly [CallRequest, CallContext, ExecutionGuard]> {
  const block = requireBlock(context, ref)
  const env = overrideEnv(context.environment(block), blockOverride)
  const request = toCallRequest(args, { chainId: context.spec.chainId, baseFee: env.baseFee })
  const { precompiles } = context.runner.engine
  const guard = guardFor(context, context.runner.limits.timeoutMs)
  const overridden = await withTimeoutAsFailure(() =>
    overrideState({ state: block.state, env }, stateOverride, precompiles, guard),
  )
  return [request, overridden, guard]
}
