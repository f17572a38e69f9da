import type { ConnectOptions, Push, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'

/** A test's method: it returns a result, or `{ error }`, or a promise of either. */
export type FakeMethod = (params: readonly unknown[]) => unknown

/**
 * An endpoint without a chain, for tests of code that carries JSON-RPC. Calls of unknown methods are never answered.
 */
export class FakeEndpoint implements RpcEndpoint {
  readonly #methods: Readonly<Record<string, FakeMethod>>
  readonly #pushes = new Set<Push>()
  /** The options of each connection. */
  readonly connected: ConnectOptions[] = []
  /** Bodies as they arrived. */
  readonly received: string[] = []

  constructor(methods: Readonly<Record<string, FakeMethod>> = {}) {
    this.#methods = methods
  }

  /** Open connections that accept notifications. */
  get subscribers(): number {
    return this.#pushes.size
  }

  connect(push?: Push, options: ConnectOptions = {}): RpcConnection {
    this.connected.push(options)
    if (push) this.#pushes.add(push)
    return {
      handle: (body) => this.#handle(body),
      close: () => {
        if (push) this.#pushes.delete(push)
      },
    }
  }

  /** Sends an event to every open connection; `false` if one of them accepts no more. */
  notify(subscription: string, result: unknown): boolean {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } })
    const parts = { subscription, result: JSON.stringify(result) }
    return [...this.#pushes].map((push) => push(body, parts)).every((answer) => answer !== false)
  }

  async #handle(body: string): Promise<string | undefined> {
    this.received.push(body)
    const { id, method, params = [] } = JSON.parse(body) as JsonRpcRequest
    const run = this.#methods[method]
    if (!run) return new Promise(() => {})
    const outcome = await run(params)
    if (id === undefined) return undefined
    if (isFailure(outcome)) return JSON.stringify({ jsonrpc: '2.0', id, error: outcome.error })
    return JSON.stringify({ jsonrpc: '2.0', id, result: outcome })
  }
}

function isFailure(outcome: unknown): outcome is { readonly error: unknown } {
  return typeof outcome === 'object' && outcome !== null && 'error' in outcome
}
