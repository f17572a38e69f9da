import type { Address, Hash } from '#primitives/hex.ts'
import { type AccountLeaf, accountOf, storageOf } from './account-trie.ts'
import type { ByteText } from './byte-text.ts'
import type { Account } from './state-reader.ts'
import { StorageOverlay } from './storage-overlay.ts'

/** A cached account of a working state. */
export interface AccountEntry {
  readonly address: Address
  account: Account | undefined
  /** Leaf of the account in the state trie. */
  leaf: AccountLeaf | undefined
  /** `undefined` until a slot is accessed; the leaf's storage applies until then. */
  storage: StorageOverlay | undefined
  /** Whether it may differ from the leaf. */
  dirty: boolean
  /** Transaction that `originals` and `cleared` belong to; they mean nothing in a later one. */
  transaction: number
  /** Values at the start of that transaction, of the slots changed since. Most accounts have none. */
  originals: Map<Hash, ByteText> | undefined
  /** The first storage replaced in that transaction: holds the original values of slots not changed before. */
  cleared: StorageOverlay | undefined
}

/** A clean entry for a leaf. */
export function accountEntry(address: Address, leaf: AccountLeaf | undefined): AccountEntry {
  return {
    address,
    account: accountOf(leaf),
    leaf,
    storage: undefined,
    dirty: false,
    transaction: -1,
    originals: undefined,
    cleared: undefined,
  }
}

/** The entry's storage, created from the leaf's on first access. */
export function overlayOf(entry: AccountEntry): StorageOverlay {
  entry.storage ??= new StorageOverlay(storageOf(entry.leaf))
  return entry.storage
}

/** Undoes one change; entries are undone newest first. */
export type Undo =
  | { readonly kind: 'account'; readonly entry: AccountEntry; readonly account: Account | undefined }
  | {
      readonly kind: 'slot'
      readonly entry: AccountEntry
      readonly overlay: StorageOverlay
      readonly slot: Hash
      readonly value: ByteText
    }
  | { readonly kind: 'storage'; readonly entry: AccountEntry; readonly overlay: StorageOverlay }

/** Undoes one change. Afterwards, the entry may differ from its leaf. */
export function undo(change: Undo): void {
  switch (change.kind) {
    case 'account':
      change.entry.account = change.account
      return
    case 'slot':
      change.overlay.values.set(change.slot, change.value)
      change.overlay.dirty.add(change.slot)
      return
    case 'storage':
      change.entry.storage = change.overlay
      return
    default:
      change satisfies never
  }
}
