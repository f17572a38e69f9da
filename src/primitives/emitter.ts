/** Stops the listener; harmless when called twice. */
export type Unsubscribe = () => void

/** A typed set of listeners for each event name. */
export class Emitter<Events extends Record<string, unknown>> {
  readonly #listeners = new Map<keyof Events, Set<(payload: never) => void>>()

  /** Calls `listener` for every later event of that name, in the order of registration. */
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): Unsubscribe {
    let listeners = this.#listeners.get(name)
    if (!listeners) {
      listeners = new Set()
      this.#listeners.set(name, listeners)
    }
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Hands `payload` to every listener before it returns. */
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void {
    const listeners = this.#listeners.get(name) as Set<(payload: Events[Name]) => void> | undefined
    if (!listeners) return
    for (const listener of [...listeners]) listener(payload)
  }
}
