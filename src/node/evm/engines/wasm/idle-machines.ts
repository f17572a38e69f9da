/** Number of machines kept: each has 17 MiB of memory or more. Only pauses make that many run at a time. */
const MAX_IDLE = 4

/**
 * Machines that wait for a message. Only the one that has run last keeps what it knows of its state: the next message is
 * mostly on the same one, and nobody else is to hold on to a state that the chain has left behind.
 */
export class IdleMachines<Machine extends { letGo(): void }> {
  readonly #machines: Machine[] = []

  /** The one that has run last. */
  take(): Machine | undefined {
    return this.#machines.pop()
  }

  /** For a machine whose message is over. Where enough of them wait, it is dropped. */
  giveBack(machine: Machine): void {
    if (this.#machines.length === MAX_IDLE) return
    this.#machines.at(-1)?.letGo()
    this.#machines.push(machine)
  }
}
