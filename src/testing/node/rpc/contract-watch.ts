import type { JsonRpcNotification, JsonRpcRequest } from '#rpc-types/envelope.ts'
import { checkParams, checkPayload, checkResult } from './contract-check.ts'

/** Checks the traffic of a connection against the OpenRPC document. */
export class ContractWatch {
  readonly #kinds = new Map<unknown, string>()
  /** Not checked yet: the first may arrive before the id of its subscription. */
  readonly #pushed: JsonRpcNotification['params'][] = []

  /** Records a notification; {@link answered} checks it against its schema. */
  pushed(notification: JsonRpcNotification['params']): void {
    this.#pushed.push(notification)
  }

  /** @throws {Error} If the parameters of an answered request do not match its method's schemas. */
  taken(body: string): void {
    const { method, params } = JSON.parse(body) as Required<JsonRpcRequest>
    checkParams('methods', method, params)
    if (method === 'eth_subscribe') checkParams('x-subscriptions', String(params[0]), params.slice(1))
  }

  /** @throws {Error} If the result of a request, or an earlier notification, does not match the contract. */
  answered(body: string, result: unknown): void {
    const { method, params } = JSON.parse(body) as Required<JsonRpcRequest>
    checkResult(method, result)
    if (method === 'eth_subscribe') this.#kinds.set(result, String(params[0]))
    for (const notification of this.#pushed.splice(0)) {
      const kind = this.#kinds.get(notification.subscription)
      // A subscription that is too slow ends with an error as its last notification.
      if (kind !== undefined && 'result' in notification) checkPayload(kind, notification.result)
    }
  }
}
