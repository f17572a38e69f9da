import type { JournalChange, JournalPart } from '../storage/journal.ts'

/** Changes of a journal that wait to be written: the latest of each entry. */
export class PendingChanges {
  #changes = new Map<string, JournalChange>()

  put(part: JournalPart, key: string, value: Uint8Array): void {
    this.#set({ kind: 'put', part, key, value })
  }

  delete(part: JournalPart, key: string): void {
    this.#set({ kind: 'delete', part, key })
  }

  /** Removes every entry of the part; for a part that nothing waits for yet. */
  clear(part: JournalPart): void {
    this.#set({ kind: 'clear', part })
  }

  /** All of them, to be written in this order; none is left. */
  take(): JournalChange[] {
    const changes = [...this.#changes.values()]
    this.#changes = new Map()
    return changes
  }

  /** Takes back what could not be written; what has come since then is newer. */
  giveBack(changes: readonly JournalChange[]): void {
    const newer = this.take()
    for (const change of [...changes, ...newer]) this.#set(change)
  }

  #set(change: JournalChange): void {
    // No name of a part has a space in it.
    const name = change.kind === 'clear' ? change.part : `${change.part} ${change.key}`
    this.#changes.set(name, change)
  }
}
