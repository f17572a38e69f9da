import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { rpcId } from '../../params/plain-params.ts'
import type { CallSubscriptions } from '../../subscriptions/connection-subscriptions.ts'
import { openPublisher } from '../../subscriptions/publishers.ts'

/** Subscriptions of the connection. */
export const ETH_SUBSCRIPTION_METHODS = {
  /** Starts one kind of notifications. Not made by `defineMethod`, since each kind has its own parameters. */
  eth_subscribe: {
    run(context, [kind, ...params]) {
      const subscriptions = requirePush(context)
      if (typeof kind !== 'string') {
        throw new RpcRefusedError('invalid-params', 'expected subscription name as first argument')
      }
      return subscriptions.add(openPublisher(kind, params, context.newHeads))
    },
  },

  /** `false` if the connection has no such subscription. */
  eth_unsubscribe: defineMethod([rpcId], (context, id) => requirePush(context).remove(id)),
} satisfies Partial<MethodTable>

function requirePush({ subscriptions }: CallerContext): CallSubscriptions {
  if (!subscriptions) throw new RpcRefusedError('method-not-found', 'notifications not supported')
  return subscriptions
}
