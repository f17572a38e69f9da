/** SELFDESTRUCT, which only removes accounts created in the same transaction (EIP-6780). */

import { COLD_ACCOUNT_GAS, NEW_ACCOUNT_GAS } from '../rules/gas.ts'
import {
  accountAt,
  balanceOf,
  CREATED,
  clearBalance,
  DESTROYED,
  has,
  isEmpty,
  loaded,
  mark,
  transfer,
  WARM,
} from '../state/account.ts'
import { isZero } from '../words/word.ts'
import { Frame } from './frame.ts'
import { TRACING, tellEnter, tellExit, tellSettled } from './tracing.ts'

/** @returns The remaining gas, below 0 if it was not enough. */
export function selfdestruct(gas: i64, sp: usize, frame: Frame): i64 {
  const account = frame.account
  const heir = accountAt(sp)
  let left = gas
  if (!has(heir, WARM)) {
    left -= COLD_ACCOUNT_GAS
    mark(heir, WARM)
  }
  if (left < 0) return left
  if (isEmpty(loaded(heir)) && !isZero(balanceOf(account))) left -= NEW_ACCOUNT_GAS
  if (left < 0) return left
  if (TRACING) {
    tellSettled(left, 0)
    tellEnter(0xff, changetype<usize>(account), heir, balanceOf(account), 0, 0, 0)
    tellExit(0, 0, 0, 0, 0)
  }
  if (heir != account) transfer(account, heir, balanceOf(account))
  if (has(account, CREATED)) {
    clearBalance(account)
    mark(account, DESTROYED)
  }
  return left
}
