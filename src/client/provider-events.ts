import type { Address, Hex } from '#primitives/hex.ts'
import type { JsonRpcNotification, JsonRpcSubscriptionError } from '#rpc-types/envelope.ts'
import type { ProviderRpcError } from './provider.ts'

/** Event name → payload, as EIP-1193 has them. */
export interface ProviderEvents {
  /** A subscription's event; with an `error` for a result, its last. */
  message: {
    readonly type: 'eth_subscription'
    readonly data: JsonRpcNotification['params'] | JsonRpcSubscriptionError['params']
  }
  /** The node runs, at first and after every restart. Subscriptions of the node before are gone. */
  connect: { readonly chainId: Hex }
  disconnect: ProviderRpcError
  chainChanged: Hex
  accountsChanged: readonly Address[]
}

type Listener<Name extends keyof ProviderEvents> = (payload: ProviderEvents[Name]) => void

/** The listeners of a provider, known by identity, as `removeListener` wants it. */
export class ProviderListeners {
  readonly #listeners: { readonly [Name in keyof ProviderEvents]: Set<Listener<Name>> } = {
    message: new Set(),
    connect: new Set(),
    disconnect: new Set(),
    chainChanged: new Set(),
    accountsChanged: new Set(),
  }

  add<Name extends keyof ProviderEvents>(event: Name, listener: Listener<Name>): void {
    this.#listeners[event].add(listener)
  }

  remove<Name extends keyof ProviderEvents>(event: Name, listener: Listener<Name>): void {
    this.#listeners[event].delete(listener)
  }

  /** Hands `payload` to every listener. One that throws is reported to the host and does not keep it from the others. */
  emit<Name extends keyof ProviderEvents>(event: Name, payload: ProviderEvents[Name]): void {
    for (const listener of [...this.#listeners[event]]) {
      try {
        listener(payload)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
