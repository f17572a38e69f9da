/** Stops the listener; harmless when called twice. */
export type Unsubscribe = () => void

interface Listener {
  readonly call: (payload: never) => void
}

/** A typed set of listeners for each event name. */
export class Emitter<Events extends Record<string, unknown>> {
  /** Lists that are replaced, not changed: whoever is being told is told to its end. */
  readonly #listeners = new Map<keyof Events, readonly Listener[]>()

  /** Calls `listener` for every later event of that name, in the order of registration. */
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): Unsubscribe {
    const own: Listener = { call: listener }
    const others = () => (this.#listeners.get(name) ?? []).filter((other) => other !== own)
    this.#listeners.set(name, [...others(), own])
    return () => this.#listeners.set(name, others())
  }

  /** Hands `payload` to every listener before it returns. */
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void {
    for (const { call } of this.#listeners.get(name) ?? []) call(payload as never)
  }
}
