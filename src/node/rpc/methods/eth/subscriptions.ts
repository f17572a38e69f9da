import type { CallerContext, Method } from '../../define-method.ts'
import { defineMethod } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { rpcId } from '../../params/plain-params.ts'
import type { CallSubscriptions } from '../../subscriptions/connection-subscriptions.ts'
import { openFeed } from '../../subscriptions/feeds.ts'

/** `eth_subscribe`: starts one kind of notifications; not made by `defineMethod`, as each kind has its own parameters. */
export const ethSubscribe: Method<'eth_subscribe'> = {
  name: 'eth_subscribe',
  run(context, [kind, ...params]) {
    const subscriptions = requirePush(context)
    if (typeof kind !== 'string') {
      throw new RpcRefusedError('invalid-params', 'expected subscription name as first argument')
    }
    return subscriptions.add(openFeed(kind, params))
  },
}

/** `eth_unsubscribe`: `false` if the connection has no such subscription. */
export const ethUnsubscribe = defineMethod('eth_unsubscribe', [rpcId], (context, id) => requirePush(context).remove(id))

function requirePush({ subscriptions }: CallerContext): CallSubscriptions {
  if (!subscriptions) throw new RpcRefusedError('method-not-found', 'notifications not supported')
  return subscriptions
}
