import type { Hash } from '#primitives/hex.ts'
import { createStorageTrie, type StorageTrie, slotLeaf, valueOf, withValue } from './account-trie.ts'
import type { ByteText } from './byte-text.ts'
import { slotKey } from './trie-keys.ts'

/** A writable cache over a storage trie: a flat map of values (empty for 0). The trie itself never changes. */
export class StorageOverlay {
  /** Values read or written, by slot; includes every dirty slot. */
  values = new Map<Hash, ByteText>()
  /** Slots whose values may differ from the trie's. */
  readonly dirty = new Set<Hash>()
  #trie: StorageTrie | undefined

  /** @param trie - `undefined` for an empty storage. */
  constructor(trie: StorageTrie | undefined) {
    this.#trie = trie
  }

  /** Reads a slot from the trie and caches its value; for slots not in `values`. */
  load(slot: Hash): ByteText {
    const leaf = this.#trie?.get(slotKey(slot), slot)
    return this.keep(slot, leaf === undefined ? '' : valueOf(leaf))
  }

  /** Caches what the trie has at a slot. */
  keep(slot: Hash, value: ByteText): ByteText {
    this.values.set(slot, value)
    return value
  }

  /** Writes the dirty slots to a new trie, which becomes the base. @returns The trie; `undefined` if no slot is set. */
  flush(): StorageTrie | undefined {
    let edited: StorageTrie | undefined
    for (const slot of this.dirty) {
      const value = this.values.get(slot) ?? ''
      const key = slotKey(slot)
      const leaf = this.#trie?.get(key, slot)
      if (value === (leaf === undefined ? '' : valueOf(leaf))) continue
      edited ??= this.#trie?.branch() ?? createStorageTrie()
      if (value === '') edited.delete(key)
      else edited.put(key, leaf === undefined ? slotLeaf(slot, value) : withValue(leaf, value))
    }
    this.dirty.clear()
    if (edited !== undefined) this.#trie = edited.isEmpty ? undefined : edited
    return this.#trie
  }

  /** Drops the cached values that the trie also has. */
  trim(): void {
    const kept = new Map<Hash, ByteText>()
    for (const slot of this.dirty) kept.set(slot, this.values.get(slot) ?? '')
    this.values = kept
  }
}
