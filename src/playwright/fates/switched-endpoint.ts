import type { ConnectOptions, Push, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'

/**
 * A node behind one address that may become another: connections that are open go on there with their next call, without
 * their subscriptions.
 */
export class SwitchedEndpoint implements RpcEndpoint {
  #node: RpcEndpoint

  constructor(node: RpcEndpoint) {
    this.#node = node
  }

  switchTo(node: RpcEndpoint): void {
    this.#node = node
  }

  connect(push?: Push, options?: ConnectOptions): RpcConnection {
    let node = this.#node
    let inner = node.connect(push, options)
    return {
      handle: (body, caller) => {
        if (node !== this.#node) {
          inner.close()
          node = this.#node
          inner = node.connect(push, options)
        }
        return inner.handle(body, caller)
      },
      close: () => inner.close(),
    }
  }
}
