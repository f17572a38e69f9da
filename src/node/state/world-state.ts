import { EMPTY_BYTES } from '#primitives/bytes.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { type AccountEntry, accountEntry, overlayOf, type Undo, undo } from './account-entry.ts'
import { type AccountTrie, accountLeaf, isSameLeaf, storageOf } from './account-trie.ts'
import { type ByteText, bytesOfText, byteText } from './byte-text.ts'
import { readOrNote } from './missing-state.ts'
import { type Account, EMPTY_CODE_HASH, type StateReader } from './state-reader.ts'
import { StateSnapshot } from './state-snapshot.ts'
import { StorageOverlay } from './storage-overlay.ts'
import { addressKey } from './trie-keys.ts'

/** Number of accounts and slots kept cached although the tries have them too. */
const CACHED = 1 << 12

/**
 * The state that transactions execute on: flat maps over a snapshot, filled on demand, with an undo log.
 *
 * Keeps the account and code objects it is given; they must not be changed afterwards. The caller decides whether an
 * empty account exists (EIP-161). An account that does not exist has no storage.
 */
export class WorldState implements StateReader {
  readonly #entries = new Map<Address, AccountEntry>()
  /** Entries that may differ from their leaves, each once. */
  #dirty: AccountEntry[] = []
  /** Codes that no snapshot references yet. */
  readonly #codes = new Map<Hash, Uint8Array>()
  readonly #undoLog: Undo[] = []
  /** Length of the undo log at each open checkpoint. */
  readonly #checkpoints: number[] = []
  #transaction = 0
  /** The state as of the last flush, editable. */
  readonly #accounts: AccountTrie
  /** `#accounts` as of the last flush. */
  #flushed: StateSnapshot
  /** `undefined` once a slot has changed. */
  #slotsVersion: symbol | undefined
  /** Whether `#accounts` has changed since. */
  #changed = false
  /** Upper bound of the accounts and slots in the flat maps. */
  #loaded = 0
  #trimAt = CACHED

  constructor(base: StateSnapshot) {
    this.#flushed = base
    this.#accounts = base.branchAccounts()
    this.#slotsVersion = base.slotsVersion
  }

  /** Changes each time that slots have changed; `undefined` where some are guessed. */
  get slotsVersion(): symbol | undefined {
    if (this.#flushed.noteMissing) return undefined
    this.#slotsVersion ??= Symbol('slots')
    return this.#slotsVersion
  }

  /** Returns the same object as before unless the account has changed; its storage does not count. */
  account(address: Address): Account | undefined {
    return this.#entry(address).account
  }

  code(address: Address): Uint8Array {
    const codeHash = this.#entry(address).account?.codeHash ?? EMPTY_CODE_HASH
    if (codeHash === EMPTY_CODE_HASH) return EMPTY_BYTES
    return this.#codes.get(codeHash) ?? this.#flushed.codes.get(codeHash)
  }

  storage(address: Address, slot: Hash): Uint8Array {
    return bytesOfText(this.slotText(address, slot))
  }

  /** Like {@link storage}, as text. */
  slotText(address: Address, slot: Hash): ByteText {
    return this.#read(overlayOf(this.#entry(address)), slot)
  }

  /** Whether any slot of the account is set. */
  hasStorage(address: Address): boolean {
    const entry = this.#entry(address)
    return (entry.storage === undefined ? storageOf(entry.leaf) : entry.storage.flush()) !== undefined
  }

  /** The slot's value at the last {@link beginTransaction}, or in the base before the first (EIP-2200). */
  originalStorage(address: Address, slot: Hash): Uint8Array {
    return bytesOfText(this.#original(this.#entry(address), slot))
  }

  /** Sets nonce, balance and code hash; `undefined` deletes the account with its storage. */
  setAccount(address: Address, account: Account | undefined): void {
    const entry = this.#entry(address)
    if (account === undefined) {
      if (entry.account === undefined) return
      this.#clear(entry)
    }
    this.#replace(entry, account)
  }

  /** Sets the code and its hash; creates the account if there is none. */
  setCode(address: Address, code: Uint8Array): void {
    const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256Hex(code)
    if (!this.#flushed.codes.has(codeHash)) this.#codes.set(codeHash, code)
    const entry = this.#entry(address)
    this.#replace(entry, { nonce: entry.account?.nonce ?? 0n, balance: entry.account?.balance ?? 0n, codeHash })
  }

  /**
   * Sets a slot; creates the account if there is none.
   *
   * @param value - Big-endian without leading zeros, at most 32 bytes; empty for 0.
   */
  setStorage(address: Address, slot: Hash, value: Uint8Array): void {
    invariant(value[0] !== 0 && value.length <= 32, 'a storage value is not minimal')
    this.setSlotText(address, slot, byteText(value))
  }

  /** Sets a slot to a value in text. */
  setSlotText(address: Address, slot: Hash, next: ByteText): void {
    const entry = this.#entry(address)
    const overlay = overlayOf(entry)
    const previous = this.#read(overlay, slot)
    if (previous === next) return
    if (entry.account === undefined) this.#replace(entry, { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH })
    this.#keepOriginal(entry, slot)
    if (this.#checkpoints.length > 0) this.#undoLog.push({ kind: 'slot', entry, overlay, slot, value: previous })
    overlay.values.set(slot, next)
    overlay.dirty.add(slot)
    this.#slotsVersion = undefined
    this.#touch(entry)
  }

  /** Sets all slots of an account to 0. */
  clearStorage(address: Address): void {
    const entry = this.#entry(address)
    if (entry.account !== undefined) this.#clear(entry)
  }

  /** Opens a checkpoint, for {@link commit} to keep or {@link revert} to undo; checkpoints nest. */
  checkpoint(): void {
    this.#checkpoints.push(this.#undoLog.length)
  }

  /** Keeps the changes since the innermost checkpoint, as part of the enclosing one. */
  commit(): void {
    invariant(this.#checkpoints.pop() !== undefined, 'commit without a checkpoint')
    if (this.#checkpoints.length === 0) this.#undoLog.length = 0
  }

  /** Undoes the changes since the innermost checkpoint. */
  revert(): void {
    const start = this.#checkpoints.pop()
    invariant(start !== undefined, 'revert without a checkpoint')
    for (let i = this.#undoLog.length - 1; i >= start; i--) {
      const change = this.#undoLog[i] as Undo
      // Undone changes keep nothing new, unless the change is older than the transaction.
      if (change.kind === 'slot') this.#keepOriginal(change.entry, change.slot)
      else if (change.kind === 'storage') this.#keepOriginals(change.entry)
      undo(change)
      if (change.kind !== 'account') this.#slotsVersion = undefined
      this.#touch(change.entry)
    }
    this.#undoLog.length = start
  }

  /** Makes the current values of all slots their original ones. */
  beginTransaction(): void {
    this.#transaction++
    // Whoever executes a transaction has opened a checkpoint, but nothing has changed since.
    if (this.#loaded > this.#trimAt && this.#undoLog.length === 0) this.#trim()
  }

  /**
   * An immutable snapshot of the current state; takes time proportional to what was touched since the last call. This
   * state stays usable.
   *
   * @throws {MissingStateError} If a forked chain's trie lacks what its new root needs; this state is as before.
   */
  snapshot(): StateSnapshot {
    for (const entry of this.#dirty) if (this.#flush(entry)) this.#changed = true
    this.#dirty = []
    // An open checkpoint may restore a code that nothing references now.
    if (this.#checkpoints.length === 0) this.#codes.clear()
    if (this.#changed) {
      const { codes, noteMissing } = this.#flushed
      this.#flushed = new StateSnapshot(this.#accounts.branch(), codes, noteMissing, this.slotsVersion)
      this.#changed = false
    }
    return this.#flushed
  }

  #entry(address: Address): AccountEntry {
    return this.#entries.get(address) ?? this.#load(address)
  }

  #load(address: Address): AccountEntry {
    const { noteMissing } = this.#flushed
    const leaf = noteMissing
      ? readOrNote(() => this.#accounts.get(addressKey(address), address), noteMissing)
      : this.#accounts.get(addressKey(address), address)
    const entry = accountEntry(address, leaf)
    this.#entries.set(address, entry)
    this.#loaded++
    return entry
  }

  #read(overlay: StorageOverlay, slot: Hash): ByteText {
    const value = overlay.values.get(slot)
    if (value !== undefined) return value
    this.#loaded++
    const { noteMissing } = this.#flushed
    return noteMissing
      ? (readOrNote(() => overlay.load(slot), noteMissing) ?? overlay.keep(slot, ''))
      : overlay.load(slot)
  }

  #original(entry: AccountEntry, slot: Hash): ByteText {
    if (entry.transaction === this.#transaction) {
      const original = entry.originals?.get(slot)
      if (original !== undefined) return original
      if (entry.cleared !== undefined) return this.#read(entry.cleared, slot)
    }
    return this.#read(overlayOf(entry), slot)
  }

  #replace(entry: AccountEntry, account: Account | undefined): void {
    if (this.#checkpoints.length > 0) this.#undoLog.push({ kind: 'account', entry, account: entry.account })
    entry.account = account
    this.#touch(entry)
  }

  #clear(entry: AccountEntry): void {
    const overlay = overlayOf(entry)
    this.#keepOriginals(entry)
    if (this.#checkpoints.length > 0) this.#undoLog.push({ kind: 'storage', entry, overlay })
    entry.storage = new StorageOverlay(undefined)
    this.#slotsVersion = undefined
    this.#touch(entry)
  }

  /** Must be called before a slot changes. */
  #keepOriginal(entry: AccountEntry, slot: Hash): void {
    this.#startOriginals(entry)
    entry.originals ??= new Map()
    if (!entry.originals.has(slot)) entry.originals.set(slot, this.#read(entry.cleared ?? overlayOf(entry), slot))
  }

  /** Must be called before an account's overlay is replaced. */
  #keepOriginals(entry: AccountEntry): void {
    this.#startOriginals(entry)
    entry.cleared ??= overlayOf(entry)
  }

  #startOriginals(entry: AccountEntry): void {
    if (entry.transaction === this.#transaction) return
    entry.transaction = this.#transaction
    entry.originals?.clear()
    entry.cleared = undefined
  }

  #touch(entry: AccountEntry): void {
    if (entry.dirty) return
    entry.dirty = true
    this.#dirty.push(entry)
  }

  /** Writes an entry to the tries. @returns Whether they changed. */
  #flush(entry: AccountEntry): boolean {
    const { address, account, leaf } = entry
    const storage = entry.storage === undefined ? storageOf(leaf) : entry.storage.flush()
    if (account === undefined) {
      invariant(storage === undefined, 'an account that does not exist has storage')
      const isGone = leaf !== undefined && this.#accounts.delete(addressKey(address))
      entry.leaf = undefined
      entry.dirty = false
      return isGone
    }
    const next = accountLeaf(address, account, storage)
    if (isSameLeaf(leaf, next)) {
      entry.dirty = false
      return false
    }
    const { codes } = this.#flushed
    if (!codes.has(account.codeHash)) {
      const code = this.#codes.get(account.codeHash)
      invariant(code, `no code with hash ${account.codeHash}`)
      codes.add(account.codeHash, code)
    }
    entry.leaf = next
    this.#accounts.put(addressKey(address), next)
    entry.dirty = false
    return true
  }

  /**
   * Drops cached entries that the tries have. Only valid between transactions, when neither the undo log nor the
   * originals refer to an entry.
   */
  #trim(): void {
    this.#loaded = 0
    for (const [address, entry] of this.#entries) {
      if (!entry.dirty) {
        this.#entries.delete(address)
        continue
      }
      entry.cleared = undefined
      entry.originals = undefined
      entry.storage?.trim()
      this.#loaded += 1 + (entry.storage?.values.size ?? 0)
    }
    this.#trimAt = this.#loaded + CACHED
  }
}
