/** Writes the changes of a message out in one pass, for the host to take. */

import { append, beginOutput, Output, resetOutput } from '../host/output.ts'
import { copyWord, equalWords, storeBigEndian } from '../words/word.ts'
import {
  Account,
  balanceOf,
  CHANGED,
  CODE_CHANGED,
  codeOf,
  DESTROYED,
  forget,
  has,
  isEmpty,
  newestAccount,
  TOUCHED,
} from './account.ts'
import { newestSlot, originalOf, Slot, valueOf } from './storage.ts'
import { Entry } from './table.ts'

/** Fates of an account. */
const REMOVED: u32 = 1
const HAS_NEW_CODE: u32 = 2

/** For each account: its number (4 bytes), its fate, code and its size (4 bytes each), nonce (8 bytes), balance (a word). */
export const CHANGED_ACCOUNTS: Output = changetype<Output>(memory.data(offsetof<Output>(), 8))
/** For each slot: the number of the account, its own or 0 (4 bytes each), key and value (32 bytes each). */
export const CHANGED_SLOTS: Output = changetype<Output>(memory.data(offsetof<Output>(), 8))

/** Without memory of their own. */
export function resetChanges(): void {
  resetOutput(CHANGED_ACCOUNTS)
  resetOutput(CHANGED_SLOTS)
}

export function collectChanges(): void {
  beginOutput(CHANGED_ACCOUNTS)
  beginOutput(CHANGED_SLOTS)
  for (let at = newestAccount(); at != 0; at = changetype<Entry>(at).older) {
    const account = changetype<Account>(at)
    if (has(account, TOUCHED | CHANGED | CODE_CHANGED)) collectAccount(account)
  }
  for (let at = newestSlot(); at != 0; at = changetype<Entry>(at).older) {
    const slot = changetype<Slot>(at)
    if (slot.isLoaded) collectSlot(slot)
  }
}

function isGone(account: Account): bool {
  return has(account, DESTROYED) || (has(account, TOUCHED) && isEmpty(account))
}

function collectAccount(account: Account): void {
  const isRemoved = isGone(account)
  // The host never had the account, so there is nothing to remove.
  if (isRemoved && !account.existed) {
    // An empty account is what the host will return again.
    if (has(account, DESTROYED)) forget(account)
    return
  }
  // The account was only read.
  if (!isRemoved && !has(account, CHANGED | CODE_CHANGED)) return
  const at = append(CHANGED_ACCOUNTS, 56)
  store<u32>(at, account.number)
  store<u64>(at, account.nonce, 16)
  copyWord(at + 24, balanceOf(account))
  const code = has(account, CODE_CHANGED) ? codeOf(account) : null
  let fate: u32 = isRemoved ? REMOVED : 0
  if (code) fate |= HAS_NEW_CODE
  account.existed = !isRemoved
  store<u32>(at, fate, 4)
  store<u32>(at, code ? (code.start as u32) : 0, 8)
  store<u32>(at, code ? code.size : 0, 12)
}

function collectSlot(slot: Slot): void {
  const account = changetype<Account>(slot.owner)
  if (isGone(account) || equalWords(valueOf(slot), originalOf(slot))) return
  const at = append(CHANGED_SLOTS, 72)
  store<u32>(at, account.number)
  store<u32>(at, slot.number, 4)
  storeBigEndian(at + 8, changetype<usize>(slot))
  storeBigEndian(at + 40, valueOf(slot))
}
