import type { Address, Hash } from '#primitives/hex.ts'
import type { AccountLeaf } from './account-trie.ts'
import type { ByteText } from './byte-text.ts'
import type { Account } from './state-reader.ts'
import { StorageOverlay } from './storage-overlay.ts'

/** An account while it is worked on. */
export interface AccountEntry {
  readonly address: Address
  account: Account | undefined
  /** Its leaf in the state trie. */
  leaf: AccountLeaf | undefined
  /** `undefined` until a slot is asked for: the storage is then the leaf's. */
  storage: StorageOverlay | undefined
  /** Whether it may differ from the leaf. */
  dirty: boolean
  /** Transaction that `originals` and `cleared` belong to; they mean nothing in a later one. */
  transaction: number
  /** Values that slots had at the start of that transaction, for the slots that changed since; most accounts have no slots. */
  originals: Map<Hash, ByteText> | undefined
  /** The storage that was first replaced since that start: original values of the slots that had not changed before. */
  cleared: StorageOverlay | undefined
}

/** An entry that says what the leaf says. */
export function accountEntry(address: Address, leaf: AccountLeaf | undefined): AccountEntry {
  return {
    address,
    account: leaf?.account,
    leaf,
    storage: undefined,
    dirty: false,
    transaction: -1,
    originals: undefined,
    cleared: undefined,
  }
}

/** The entry's storage, made from the leaf's when first asked for. */
export function overlayOf(entry: AccountEntry): StorageOverlay {
  entry.storage ??= new StorageOverlay(entry.leaf?.storage)
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

/** Takes one change back. The entry may differ from its leaf afterwards. */
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
