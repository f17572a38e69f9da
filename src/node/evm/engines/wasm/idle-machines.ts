/** How many machines are kept: each has at least 17 MiB of memory. Only pauses make that many run at the same time. */
const MAX_IDLE = 4

/**
 * Machines waiting for a message. Only the last one used keeps its cached state: the next message is usually on the
 * same state, and the others must not hold on to states that the chain has released.
 */
export class IdleMachines<Machine extends { letGo(): void }> {
  readonly #machines: Machine[] = []

  /** Takes the last one used. */
  take(): Machine | undefined {
    return this.#machines.pop()
  }

  /** Takes back a machine after its message; drops it if there are enough. */
  giveBack(machine: Machine): void {
    if (this.#machines.length === MAX_IDLE) return
    this.#machines.at(-1)?.letGo()
    this.#machines.push(machine)
  }
}
