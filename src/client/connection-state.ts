/** How it stands with the node. */
export type ConnectionState =
  | { readonly status: 'starting' }
  | { readonly status: 'ready' }
  /** The node is gone; `message` says what happened. */
  | { readonly status: 'crashed'; readonly message: string }

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
