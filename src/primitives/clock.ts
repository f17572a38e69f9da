/** Calls off a scheduled callback; harmless when it has run. */
export type Cancel = () => void

/** Time as the node sees it. The entries inject the system's, tests a fake one. */
export interface Clock {
  /** Milliseconds since the Unix epoch, with fractions; never goes back. */
  now(): number
  /** Runs `callback` once, `delayMs` from now. A rejected promise is the owner's bug and reaches the host as such. */
  schedule(callback: () => void | Promise<void>, delayMs: number): Cancel
  /** Resolves after the host has handled pending messages, requests and timers. */
  yield(): Promise<void>
}
