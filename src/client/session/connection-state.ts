import type { ChainRole } from '#transport/port/chain-role.ts'
import type { NodeFailure } from '#transport/port/messages.ts'

/** Which tab runs a shared chain, and whether the chain survives it. */
export type TabRole = Exclude<ChainRole, { readonly kind: 'blocked' }>

/** The reason why a node cannot open its stored chain. */
export type StartFailure = NodeFailure

/** State of the node. */
export type ConnectionState =
  | { readonly status: 'starting' }
  /** Without a `role` the node belongs to this page alone. */
  | { readonly status: 'ready'; readonly role?: TabRole }
  /**
   * The tab that runs the chain is of another version, as `message` says. The state changes when another tab runs the
   * chain.
   */
  | { readonly status: 'blocked'; readonly message: string }
  /** The node is gone: `message` says why; `failure` is set if it could not open its stored chain. */
  | { readonly status: 'crashed'; readonly message: string; readonly failure?: StartFailure | undefined }

/** A value that can be watched; its functions match React's `useSyncExternalStore`. */
export interface Observable<Value> {
  /** One object until the value changes. */
  readonly get: () => Value
  /** Calls `listener` after every change; the returned function stops that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** An {@link Observable} that can be set. */
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
