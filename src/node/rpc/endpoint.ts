import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { DeveloperLog, NodeContext } from './context.ts'
import type { CallerContext, EndpointContext } from './define-method.ts'
import { handleBody } from './dispatcher.ts'
import { FilterStore } from './logs/filter-store.ts'
import { METHOD_NAMES } from './method-table.ts'
import { InclusionWatch } from './sending/inclusion-watch.ts'
import { ConnectionSubscriptions } from './subscriptions/connection-subscriptions.ts'
import { SubscriptionHub } from './subscriptions/subscription-hub.ts'
import { Turns } from './turns.ts'
import { WorkQueues } from './work-queues.ts'

/**
 * The node's endpoint for transports.
 *
 * @param log - Takes the details of errors that callers only see as `internal error`.
 */
export function createRpcEndpoint(context: NodeContext, log: DeveloperLog): RpcEndpoint {
  const hub = new SubscriptionHub(context, log)
  const turns = new Turns(context.clock)
  const shared: EndpointContext = {
    ...context,
    clock: turns,
    filters: new FilterStore(context),
    inclusions: new InclusionWatch(context),
    work: new WorkQueues(turns),
    methodNames: METHOD_NAMES,
  }
  return {
    connect(push, { latest = 'sealed' } = {}) {
      if (!push) {
        const silent: CallerContext = { ...shared, subscriptions: undefined, caller: { gone: false }, latest }
        return { handle: (body, caller) => handleBody(body, caller ? { ...silent, caller } : silent, log), close() {} }
      }
      const subscriptions = new ConnectionSubscriptions(hub, push)
      const caller = { gone: false }
      return {
        handle(body) {
          const begun = subscriptions.begin()
          const answer = handleBody(body, { ...shared, subscriptions: begun, caller, latest }, log)
          answer
            .then(() => begun.activate(context.clock))
            .catch((error: unknown) => log('internal error in starting subscriptions', error))
          return answer
        },
        close() {
          caller.gone = true
          subscriptions.close()
        },
      }
    },
  }
}
