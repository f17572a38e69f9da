import type { JournalChange, JournalPart } from '../storage/journal.ts'

/** Journal changes that wait to be written: the latest one of each entry. */
export class PendingChanges {
  #changes = new Map<string, JournalChange>()

  put(part: JournalPart, key: string, value: Uint8Array): void {
    this.#set({ kind: 'put', part, key, value })
  }

  delete(part: JournalPart, key: string): void {
    this.#set({ kind: 'delete', part, key })
  }

  /** Deletes every entry of the part. Nothing of that part may be waiting yet. */
  clear(part: JournalPart): void {
    this.#set({ kind: 'clear', part })
  }

  /** Removes and returns all changes, in the order to write them. */
  take(): JournalChange[] {
    const changes = [...this.#changes.values()]
    this.#changes = new Map()
    return changes
  }

  /** Takes back changes that could not be written; changes made since are newer and win. */
  giveBack(changes: readonly JournalChange[]): void {
    const newer = this.take()
    for (const change of [...changes, ...newer]) this.#set(change)
  }

  #set(change: JournalChange): void {
    // The names of parts contain no spaces.
    const name = change.kind === 'clear' ? change.part : `${change.part} ${change.key}`
    this.#changes.set(name, change)
  }
}
