/** Steps that access accounts and slots, with a surcharge for the first access (EIP-2929). */

import {
  COLD_ACCOUNT_GAS,
  COLD_SLOT_GAS,
  COPY_WORD_GAS,
  SLOT_CLEAR_REFUND,
  SLOT_RESET_GAS,
  SLOT_SET_GAS,
  WARM_GAS,
} from '../rules/gas.ts'
import {
  Account,
  accountAt,
  balanceOf,
  codeHashOf,
  codeOf,
  has,
  isEmpty,
  loaded,
  mark,
  WARM,
} from '../state/account.ts'
import { COINBASE, ORIGIN } from '../state/environment.ts'
import { refund } from '../state/refund.ts'
import { loadedSlot, originalOf, setSlot, slotAt, valueOf, warmSlot } from '../state/storage.ts'
import { copyWord, equalWords, isZero, loadBigEndian, setSmall } from '../words/word.ts'
import { Frame } from './frame.ts'
import { copyPadded, extend, memoryAt, perWord, toSize } from './memory.ts'

/** The sender of the message: warm from the start, like the coinbase (EIP-3651). */
export function warmSender(): Account {
  mark(accountAt(COINBASE), WARM)
  const sender = accountAt(ORIGIN)
  mark(sender, WARM)
  return loaded(sender)
}

/** Gas for accessing an account, which is warm afterwards. */
export function accessGas(account: Account): i64 {
  if (has(account, WARM)) return WARM_GAS
  mark(account, WARM)
  return COLD_ACCOUNT_GAS
}

/** BALANCE. Steps of this file return the remaining gas, below 0 if it was not enough. */
export function balance(gas: i64, sp: usize): i64 {
  const account = accountAt(sp)
  const left = gas - accessGas(account)
  if (left >= 0) copyWord(sp, balanceOf(loaded(account)))
  return left
}

export function extcodesize(gas: i64, sp: usize): i64 {
  const account = accountAt(sp)
  const left = gas - accessGas(account)
  if (left < 0) return left
  const code = codeOf(loaded(account))
  setSmall(sp, code ? (code.size as u64) : 0)
  return left
}

export function extcodehash(gas: i64, sp: usize): i64 {
  const account = accountAt(sp)
  const left = gas - accessGas(account)
  if (left < 0) return left
  if (isEmpty(loaded(account))) setSmall(sp, 0)
  else loadBigEndian(sp, codeHashOf(account))
  return left
}

export function extcodecopy(gas: i64, sp: usize): i64 {
  const account = accountAt(sp)
  const to = toSize(sp + 32)
  const size = toSize(sp + 96)
  const left = extend(gas - accessGas(account) - perWord(size, COPY_WORD_GAS), to, size)
  if (left < 0 || size == 0) return left
  const code = codeOf(loaded(account))
  const at = memoryAt + (to as usize)
  if (code) copyPadded(at, code.start, code.size as u64, toSize(sp + 64), size)
  else memory.fill(at, 0, size as usize)
  return left
}

export function sload(gas: i64, sp: usize, account: Account): i64 {
  const slot = slotAt(account, sp)
  const left = gas - (warmSlot(slot) ? WARM_GAS : COLD_SLOT_GAS)
  if (left >= 0) copyWord(sp, valueOf(loadedSlot(slot)))
  return left
}

/** The gas left must be above the sentry of EIP-2200. */
export function sstore(gas: i64, sp: usize, frame: Frame): i64 {
  const slot = slotAt(frame.account, sp)
  const value = sp + 32
  const access: i64 = warmSlot(slot) ? 0 : COLD_SLOT_GAS
  const current = valueOf(loadedSlot(slot))
  const original = originalOf(slot)
  if (equalWords(current, value)) return gas - access - WARM_GAS
  let left = gas - access - WARM_GAS
  if (equalWords(current, original)) {
    left = gas - access - (isZero(original) ? SLOT_SET_GAS : SLOT_RESET_GAS)
    if (isZero(value)) refund(SLOT_CLEAR_REFUND)
  } else {
    refundChange(original, current, value)
  }
  // A failed frame reverts its refunds; tracers see them, as in geth.
  if (left < 0) return left
  setSlot(slot, value)
  return left
}

/** The refund for a slot already changed in this transaction (EIP-3529). */
function refundChange(original: usize, current: usize, value: usize): void {
  if (!isZero(original)) {
    if (isZero(current)) refund(-SLOT_CLEAR_REFUND)
    else if (isZero(value)) refund(SLOT_CLEAR_REFUND)
  }
  if (equalWords(original, value)) refund((isZero(original) ? SLOT_SET_GAS : SLOT_RESET_GAS) - WARM_GAS)
}
