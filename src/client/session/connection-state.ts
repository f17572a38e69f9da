import type { ChainRole } from '#transport/port/chain-role.ts'
import type { NodeFailure } from '#transport/port/messages.ts'

/** The tab that runs a shared chain, and whether the chain outlives it. */
export type TabRole = Exclude<ChainRole, { readonly kind: 'blocked' }>

/** The reason why a node cannot open its stored chain. */
export type StartFailure = NodeFailure

/** State of the node. */
export type ConnectionState =
  | { readonly status: 'starting' }
  /** Without a `role` the node is this page's alone. */
  | { readonly status: 'ready'; readonly role?: TabRole }
  /** The tab that runs the chain is of another version; `message` says so. It continues when another tab runs it. */
  | { readonly status: 'blocked'; readonly message: string }
  /** The node is gone; `message` says what happened, `failure` what kept it from its stored chain. */
  | { readonly status: 'crashed'; readonly message: string; readonly failure?: StartFailure | undefined }

/** A value that can be watched; its functions fit React's `useSyncExternalStore` as they are. */
export interface Observable<Value> {
  /** The same object until the value changes. */
  readonly get: () => Value
  /** Calls `listener` after every change; the returned function stops that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** An {@link Observable} with the means to change it. */
export interface MutableObservable<Value> extends Observable<Value> {
  readonly set: (value: Value) => void
}

/** A watched value that starts as `initial`. */
export function createObservable<Value>(initial: Value): MutableObservable<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next) {
      value = next
      for (const listener of [...listeners]) listener()
    },
  }
}
