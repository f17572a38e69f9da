import type { ConnectOptions, Push, RpcConnection } from '#rpc-types/connection.ts'
import { Turns } from '../turns/turns.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { DeveloperLog, NodeContext } from './context.ts'
import type { CallerContext, EndpointContext } from './define-method.ts'
import type { Dialect } from './dialects/dialect.ts'
import { handleBody } from './dispatcher.ts'
import { FilterStore } from './logs/filter-store.ts'
import { METHOD_NAMES } from './method-table.ts'
import { InclusionWatch } from './sending/inclusion-watch.ts'
import { ConnectionSubscriptions } from './subscriptions/connection-subscriptions.ts'
import { SubscriptionHub } from './subscriptions/subscription-hub.ts'
import { WorkQueues } from './work-queues.ts'

/** How whoever runs the node in its own process connects to it. */
export interface NodeConnectOptions extends ConnectOptions {
  /**
   * Called with each transaction that is submitted over the connection, before the pool checks it; what it throws is the
   * answer.
   */
  readonly admit?: (tx: Transaction) => void
}

/** The node as its own process reaches it. */
export interface NodeEndpoint {
  /** As in `RpcEndpoint`. */
  connect(push?: Push, options?: NodeConnectOptions): RpcConnection
}

/**
 * The node's endpoint for transports.
 *
 * @param log - Takes the details of errors that callers only see as `internal error`.
 */
export function createRpcEndpoint(
  context: NodeContext,
  log: DeveloperLog,
  dialect?: Dialect<CallerContext>,
): NodeEndpoint {
  const hub = new SubscriptionHub(context, log)
  const turns = new Turns(context.clock)
  const shared: EndpointContext = {
    ...context,
    clock: turns,
    filters: new FilterStore(context),
    inclusions: new InclusionWatch(context),
    work: new WorkQueues(turns),
    methodNames: METHOD_NAMES,
    dialect,
  }
  return {
    connect(push, { latest = 'sealed', newHeads, foreign = false, admit } = {}) {
      const own: EndpointContext = admit ? { ...shared, submit: (tx) => submit(tx, admit) } : shared
      if (!push) {
        const silent: CallerContext = { ...own, subscriptions: undefined, caller: { gone: false, foreign }, latest }
        return { handle: (body, caller) => handleBody(body, caller ? { ...silent, caller } : silent, log), close() {} }
      }
      const subscriptions = new ConnectionSubscriptions(hub, push)
      const caller = { gone: false, foreign }
      // Each call copies this as a whole, which costs less than to spell its members.
      const asking = { ...own, caller, latest, ...(newHeads && { newHeads }) }
      return {
        handle(body) {
          const begun = subscriptions.begin()
          const answer = handleBody(body, { ...asking, subscriptions: begun }, log)
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

  function submit(tx: Transaction, admit: (tx: Transaction) => void): Transaction {
    admit(tx)
    return context.submit(tx)
  }
}
