import { type BlockOverride, overrideEnv } from '../evm/block-override.ts'
import type { CallContext, CallRequest } from '../evm/call.ts'
import { createPacer } from '../evm/pacer.ts'
import { overrideState, type StateOverride } from '../evm/state-override.ts'
import { toCallRequest } from './call-request.ts'
import type { NodeContext } from './context.ts'
import type { BlockRef } from './params/block-params.ts'
import type { CallArgs } from './params/call-params.ts'
import { requireBlock } from './resolve-block.ts'

/**
 * A call object as a call on the state and in the environment of a block, with what the call pretends of both.
 *
 * @throws {RpcRefusedError} If there is no such block, or the call object contradicts itself.
 * @throws {CallFailedError} `bad-override`.
 */
export async function prepareCall(
  context: Pick<NodeContext, 'chain' | 'clock' | 'spec' | 'environment' | 'runner'>,
  args: CallArgs,
  ref: BlockRef,
  stateOverride: StateOverride,
  blockOverride: BlockOverride,
): Promise<readonly [CallRequest, CallContext]> {
  const block = requireBlock(context, ref)
  const env = overrideEnv(context.environment(block), blockOverride)
  const request = toCallRequest(args, { chainId: context.spec.chainId, baseFee: env.baseFee })
  const { precompiles } = context.runner.engine
  const guard = createPacer(context.clock)
  return [request, await overrideState({ state: block.state, env }, stateOverride, precompiles, guard)]
}
