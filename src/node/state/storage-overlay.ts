import { EMPTY_BYTES, equalBytes } from '#primitives/bytes.ts'
import type { Hash } from '#primitives/hex.ts'
import { createStorageTrie, type StorageTrie } from './account-trie.ts'
import { slotKey } from './trie-keys.ts'

/** An account's storage while it is worked on: flat values over a trie that nobody changes. */
export class StorageOverlay {
  /** What was read or written, by slot; holds every dirty slot. */
  values = new Map<Hash, Uint8Array>()
  /** Slots whose values may differ from the trie's. */
  readonly dirty = new Set<Hash>()
  #trie: StorageTrie | undefined

  /** @param trie - `undefined` for an empty storage. */
  constructor(trie: StorageTrie | undefined) {
    this.#trie = trie
  }

  /** Looks a slot up in the trie and remembers its value; for slots that are not in `values`. */
  load(slot: Hash): Uint8Array {
    const value = this.#trie?.get(slotKey(slot))?.value ?? EMPTY_BYTES
    this.values.set(slot, value)
    return value
  }

  /** Brings what is dirty into a new trie and goes on from it. Answers `undefined` where no slot is set. */
  flush(): StorageTrie | undefined {
    let edited: StorageTrie | undefined
    for (const slot of this.dirty) {
      const value = this.values.get(slot) ?? EMPTY_BYTES
      const key = slotKey(slot)
      if (equalBytes(value, this.#trie?.get(key)?.value ?? EMPTY_BYTES)) continue
      edited ??= this.#trie?.fork() ?? createStorageTrie()
      if (value.length === 0) edited.delete(key)
      else edited.put(key, { slot, value })
    }
    this.dirty.clear()
    if (edited !== undefined) this.#trie = edited.isEmpty ? undefined : edited
    return this.#trie
  }

  /** Forgets what the trie knows as well. */
  trim(): void {
    const kept = new Map<Hash, Uint8Array>()
    for (const slot of this.dirty) kept.set(slot, this.values.get(slot) ?? EMPTY_BYTES)
    this.values = kept
  }
}
