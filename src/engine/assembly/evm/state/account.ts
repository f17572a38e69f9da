/**
 * Accounts as messages see them: changed in memory, with an undo log. Each message asks the host once per account; if
 * the engine has it already, the host may just return SAME. See `host.ts`.
 */

import { Code, codeWithHash, hashOf, temporaryCode } from '../code/code.ts'
import { ACCOUNT, EXISTS, HAS_CODE, HAS_STORAGE, loadAccount, PRECOMPILE_SHIFT, SAME } from '../host/host.ts'
import { addTo, subtractTo } from '../words/arithmetic.ts'
import { copyWord, equalWords, isZero } from '../words/word.ts'
import { beginTable, Entry, entryOf, resetTable, Table } from './table.ts'
import { keepNumber, keepWord } from './undo-log.ts'

/** Accessed before in this transaction (EIP-2929). */
export const WARM: u64 = 1
/** Took part in a call or creation; removed if empty at the end (EIP-161). */
export const TOUCHED: u64 = 2
/** Nonce or balance may differ from what the host has. */
export const CHANGED: u64 = 4
export const CODE_CHANGED: u64 = 8
/** Made by this transaction. */
export const CREATED: u64 = 16
/** Made and destroyed by this transaction (EIP-6780). */
export const DESTROYED: u64 = 32

/** Values of `code` for an account without code, and for one whose code is not loaded yet. */
const NO_CODE: u64 = 0
const UNREAD_CODE: u64 = 1

@unmanaged
export class Account extends Entry {
  balance0: u64
  balance1: u64
  balance2: u64
  balance3: u64
  nonce: u64
  /** Address of the code. */
  code: u64
  /** keccak256 of the code that the host has. */
  hash0: u64
  hash1: u64
  hash2: u64
  hash3: u64
  /** Whether the host has such an account. */
  existed: bool
  /** Whether the host has slots of it although it has neither nonce nor code. */
  hadStorage: bool
  /** The number of the precompile that answers here; 0 for none. */
  precompile: u32
  /** The account's number among those that the host was asked for; 0 before. */
  number: u32
}

const ACCOUNTS: Table = changetype<Table>(memory.data(offsetof<Table>(), 8))
/** keccak256 of nothing. */
const EMPTY_HASH: usize = memory.data<u8>([
  0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03, 0xc0, 0xe5, 0x00, 0xb6,
  0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85, 0xa4, 0x70,
])
const ADDRESS: usize = memory.data(32, 8)
/** Accounts that the host was asked for. */
let loadedCount: u32 = 0

export function forgetAccounts(): void {
  loadedCount = 0
  resetTable(ACCOUNTS)
}

/** For the message that begins. */
export function beginAccounts(): void {
  beginTable(ACCOUNTS)
}

/** The account that this message has named last, 0 if there is none; `older` leads to the others. */
export function newestAccount(): usize {
  return ACCOUNTS.newest
}

/** The account of an address, not yet loaded from the host. @param word - Its upper 12 bytes may hold anything. */
export function accountAt(word: usize): Account {
  copyWord(ADDRESS, word)
  store<u64>(ADDRESS, load<u64>(ADDRESS, 16) & 0xffffffff, 16)
  store<u64>(ADDRESS, 0, 24)
  return changetype<Account>(entryOf(ACCOUNTS, 0, ADDRESS, offsetof<Account>()))
}

/** Loads the account from the host, once per message. */
export function loaded(account: Account): Account {
  if (account.isLoaded) return account
  account.isLoaded = true
  const answer = loadAccount(changetype<usize>(account), account.number)
  if (answer != SAME) take(account, answer)
  return account
}

/** Takes over the host's answer. */
function take(account: Account, answer: u32): void {
  if (account.number == 0) account.number = ++loadedCount
  account.existed = (answer & EXISTS) != 0
  account.hadStorage = (answer & HAS_STORAGE) != 0
  account.precompile = answer >> PRECOMPILE_SHIFT
  account.nonce = load<u64>(ACCOUNT)
  copyWord(balanceOf(account), ACCOUNT + 8)
  if ((answer & HAS_CODE) == 0) {
    account.code = NO_CODE
    return
  }
  const hash = changetype<usize>(account) + offsetof<Account>('hash0')
  if (account.code == NO_CODE || !equalWords(hash, ACCOUNT + 40)) account.code = UNREAD_CODE
  copyWord(hash, ACCOUNT + 40)
}

/** Marks the host's answer as stale for the next message. */
export function forget(account: Account): void {
  account.number = 0
  account.code = NO_CODE
}

/** The word with the balance, in wei. */
export function balanceOf(account: Account): usize {
  return changetype<usize>(account) + offsetof<Account>('balance0')
}

/** No nonce, no balance, no code (EIP-161). */
export function isEmpty(account: Account): bool {
  return account.nonce == 0 && account.code == NO_CODE && isZero(balanceOf(account))
}

export function hasCode(account: Account): bool {
  return account.code != NO_CODE
}

/** The account's own code, a delegation too; `null` without any. */
export function codeOf(account: Account): Code | null {
  if (account.code == NO_CODE) return null
  if (account.code == UNREAD_CODE) {
    const hash = changetype<usize>(account) + offsetof<Account>('hash0')
    account.code = changetype<usize>(codeWithHash(hash, changetype<usize>(account))) as u64
  }
  return changetype<Code>(account.code as usize)
}

/** The account is warm in every message from the next on. */
export function keepWarm(account: Account): void {
  account.firstStatus = WARM
}

/** The 32 bytes of the code's hash. */
export function codeHashOf(account: Account): usize {
  if (account.code == NO_CODE) return EMPTY_HASH
  if (account.code == UNREAD_CODE) return changetype<usize>(account) + offsetof<Account>('hash0')
  return hashOf(changetype<Code>(account.code as usize))
}

export function has(account: Account, flag: u64): bool {
  return (account.status & flag) != 0
}

export function mark(account: Account, flags: u64): void {
  if ((account.status & flags) == flags) return
  keepNumber(changetype<usize>(account) + offsetof<Account>('status'))
  account.status |= flags
}

export function setNonce(account: Account, nonce: u64): void {
  keepNumber(changetype<usize>(account) + offsetof<Account>('nonce'))
  account.nonce = nonce
  mark(account, CHANGED | TOUCHED)
}

export function setCode(account: Account, from: usize, size: usize): void {
  keepNumber(changetype<usize>(account) + offsetof<Account>('code'))
  account.code = size == 0 ? NO_CODE : (changetype<usize>(temporaryCode(from, size)) as u64)
  mark(account, CODE_CHANGED | TOUCHED)
}

/** Moves wei from one loaded account to another, which both count as touched, however little it is. */
export function transfer(from: Account, to: Account, value: usize): void {
  mark(from, TOUCHED)
  mark(to, TOUCHED)
  if (isZero(value)) return
  // In this order `value` may be the giver's own balance.
  keepWord(balanceOf(to))
  addTo(balanceOf(to), balanceOf(to), value)
  keepWord(balanceOf(from))
  subtractTo(balanceOf(from), balanceOf(from), value)
  mark(from, CHANGED)
  mark(to, CHANGED)
}

/** Sets the balance to 0. */
export function clearBalance(account: Account): void {
  keepWord(balanceOf(account))
  memory.fill(balanceOf(account), 0, 32)
  mark(account, CHANGED)
}
