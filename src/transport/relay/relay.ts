import type { RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import { RelayedConnection } from './relayed-connection.ts'

/** An endpoint whose node can change while callers are connected. */
export interface Relay extends RpcEndpoint {
  /** From here on `node` answers. It gets the subscriptions, the waiting calls, and the calls that may be repeated. */
  moveTo(node: RpcEndpoint): void
  /** The node answers earlier calls; later ones wait for the next node. */
  hold(): void
  /** The node is gone. Calls that may have had an effect end; the others wait for the next node, as do new ones. */
  leave(): void
  /** There is no node, and none is expected: every call ends with code 4900 and this message until there is one. */
  refuse(message: string): void
}

/** A relay without a node. */
export function createRelay(): Relay {
  const connections = new Set<RelayedConnection>()
  let node: RpcEndpoint | undefined
  let refusal: string | undefined
  let held = false

  return {
    connect(push, options = {}): RpcConnection {
      const connection = new RelayedConnection(push, options, () => connections.delete(connection))
      connections.add(connection)
      if (node && !held) connection.moveTo(node)
      else if (refusal !== undefined) connection.refuse(refusal)
      return connection
    },
    moveTo(next) {
      node = next
      refusal = undefined
      held = false
      for (const connection of connections) connection.moveTo(next)
    },
    hold() {
      held = true
      for (const connection of connections) connection.hold()
    },
    leave() {
      node = undefined
      refusal = undefined
      held = false
      for (const connection of connections) connection.leave()
    },
    refuse(message) {
      node = undefined
      refusal = message
      held = false
      for (const connection of connections) connection.refuse(message)
    },
  }
}
