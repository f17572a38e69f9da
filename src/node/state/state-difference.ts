import { EMPTY_BYTES } from '#primitives/bytes.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import {
  type AccountLeaf,
  type AccountTrie,
  accountLeaf,
  accountOf,
  addressOf,
  createStorageTrie,
  isSameAccount,
  type SlotLeaf,
  type StorageTrie,
  slotLeaf,
  slotOf,
  storageOf,
  valueOf,
} from './account-trie.ts'
import { bytesOfText, byteText } from './byte-text.ts'
import type { Account } from './state-reader.ts'
import { StateSnapshot } from './state-snapshot.ts'
import { addressKey, slotKey } from './trie-keys.ts'
import type { WorldState } from './world-state.ts'

/** A slot in two states. Values are big-endian without leading zeros; empty for 0. */
export interface SlotChange {
  readonly slot: Hash
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** An account in two states; `undefined` where it does not exist. */
export interface AccountChange {
  readonly address: Address
  readonly before: Account | undefined
  readonly after: Account | undefined
  /** Only slots that differ. */
  readonly slots: readonly SlotChange[]
}

/** The difference between two states; converts either into the other. Codes are referenced by hash. */
export type StateDifference = readonly AccountChange[]

/** One of the two states of a difference. */
export type Side = 'before' | 'after'

/** Computes the difference between two states of one chain, in time proportional to the changes. */
export function stateDifference(before: StateSnapshot, after: StateSnapshot): StateDifference {
  const changes: AccountChange[] = []
  for (const change of after.branchAccounts().changesSince(before.branchAccounts())) {
    const account = accountChange(change.before, change.after)
    if (account) changes.push(account)
  }
  return changes
}

function accountChange(before: AccountLeaf | undefined, after: AccountLeaf | undefined): AccountChange | undefined {
  const leaf = after ?? before
  if (leaf === undefined) return undefined
  const slots = slotChanges(storageOf(before), storageOf(after))
  const accounts = { before: accountOf(before), after: accountOf(after) }
  if (slots.length === 0 && isSameAccount(accounts.before, accounts.after)) return undefined
  return { address: addressOf(leaf), ...accounts, slots }
}

function slotChanges(before: StorageTrie | undefined, after: StorageTrie | undefined): SlotChange[] {
  if (before === after) return []
  const changes: SlotChange[] = []
  for (const change of (after ?? createStorageTrie()).changesSince(before ?? createStorageTrie())) {
    const slot = slotChange(change.before, change.after)
    if (slot) changes.push(slot)
  }
  return changes
}

function slotChange(before: SlotLeaf | undefined, after: SlotLeaf | undefined): SlotChange | undefined {
  const leaf = after ?? before
  if (leaf === undefined || before === after) return undefined
  return { slot: slotOf(leaf), before: valueIn(before), after: valueIn(after) }
}

function valueIn(leaf: SlotLeaf | undefined): Uint8Array {
  return leaf === undefined ? EMPTY_BYTES : bytesOfText(valueOf(leaf))
}

/**
 * Given one side's state, computes the state at the other side, `to`.
 *
 * @param differences - One or more that follow each other; no state between them is made.
 */
export function changedState(state: StateSnapshot, differences: Iterable<StateDifference>, to: Side): StateSnapshot {
  const accounts = state.branchAccounts()
  for (const difference of differences)
    for (const change of deletionsLast(difference, (each) => each[to] === undefined))
      changeAccount(accounts, change, to)
  return new StateSnapshot(accounts, state.codes, state.noteMissing)
}

/**
 * What a deletion makes a fork's trie need to know of others is then no more than what its end result needs, in whatever
 * order things came about.
 */
function deletionsLast<Change>(changes: readonly Change[], isDeletion: (change: Change) => boolean): readonly Change[] {
  return [...changes.filter((change) => !isDeletion(change)), ...changes.filter(isDeletion)]
}

function changeAccount(accounts: AccountTrie, { address, slots, ...sides }: AccountChange, to: Side): void {
  const key = addressKey(address)
  const account = sides[to]
  if (account === undefined) {
    accounts.delete(key)
    return
  }
  const storage = changedStorage(storageOf(accounts.get(key, address)), slots, to)
  accounts.put(key, accountLeaf(address, account, storage))
}

function changedStorage(
  storage: StorageTrie | undefined,
  slots: readonly SlotChange[],
  to: Side,
): StorageTrie | undefined {
  if (slots.length === 0) return storage
  const changed = storage?.branch() ?? createStorageTrie()
  for (const { slot, ...sides } of deletionsLast(slots, (change) => change[to].length === 0)) {
    const value = sides[to]
    if (value.length === 0) changed.delete(slotKey(slot))
    else changed.put(slotKey(slot), slotLeaf(slot, byteText(value)))
  }
  return changed.isEmpty ? undefined : changed
}

/** Applies a change to a working state, which must know all referenced codes. */
export function applyDifference(state: WorldState, difference: StateDifference): void {
  for (const { address, after, slots } of difference) {
    state.setAccount(address, after)
    if (after === undefined) continue
    for (const { slot, after: value } of slots) state.setStorage(address, slot, value)
  }
}
