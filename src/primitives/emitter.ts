/** Stops the listener; harmless when called twice. */
export type Unsubscribe = () => void

interface Listener {
  readonly call: (payload: never) => void
}

/** A typed set of listeners for each event name. */
export class Emitter<Events extends Record<string, unknown>> {
  /** Immutable lists, replaced on each change, so that an emit under way still reaches all listeners. */
  readonly #listeners = new Map<keyof Events, readonly Listener[]>()

  /** Calls `listener` for every later event of that name, in the order of registration. */
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): Unsubscribe {
    const own: Listener = { call: listener }
    const others = () => (this.#listeners.get(name) ?? []).filter((other) => other !== own)
    this.#listeners.set(name, [...others(), own])
    return () => this.#listeners.set(name, others())
  }

  /**
   * Hands `payload` to every listener before it returns.
   *
   * @throws Whatever the first listener threw that did; the others have been called all the same.
   */
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void {
    const failures: unknown[] = []
    for (const { call } of this.#listeners.get(name) ?? []) {
      try {
        call(payload as never)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
