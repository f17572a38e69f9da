/** The result of a message for the host; see `engine-exports.ts`. */

import { haltReason } from '../rules/halt.ts'
import { CHANGED_ACCOUNTS, CHANGED_SLOTS, collectChanges } from '../state/collect.ts'
import { LOGS } from '../state/log.ts'
import { refunded } from '../state/refund.ts'
import { revertTo } from '../state/undo-log.ts'
import { frame } from './frame.ts'
import { createdAccount, outcome } from './lifecycle.ts'
import { returnAt, returnSize } from './memory.ts'

@unmanaged
class Result {
  gasLeft: i64
  refund: i64
  outcome: u32
  /** See `halt.ts`. */
  reason: u32
  /** The word with the address of the created contract. */
  created: usize
  output: usize
  outputSize: u32
  /** Begin and end of the logs; accounts and slots follow in the same form. */
  logs: usize
  logsEnd: usize
  accounts: usize
  accountsEnd: usize
  slots: usize
  slotsEnd: usize
}

const RESULT: Result = changetype<Result>(memory.data(offsetof<Result>(), 8))

/**
 * @param withChanges - Also what it has changed, which the host takes over; otherwise it is undone.
 * @returns Where it stands.
 */
export function writeResult(withChanges: bool): usize {
  RESULT.gasLeft = frame.gas
  RESULT.refund = refunded
  RESULT.outcome = outcome
  RESULT.reason = haltReason
  RESULT.created = changetype<usize>(createdAccount)
  RESULT.output = returnAt
  RESULT.outputSize = returnSize as u32
  RESULT.logs = LOGS.start
  RESULT.logsEnd = LOGS.start + LOGS.size
  if (withChanges) collectChanges()
  else revertTo(0)
  RESULT.accounts = CHANGED_ACCOUNTS.start
  RESULT.accountsEnd = CHANGED_ACCOUNTS.start + CHANGED_ACCOUNTS.size
  RESULT.slots = CHANGED_SLOTS.start
  RESULT.slotsEnd = CHANGED_SLOTS.start + CHANGED_SLOTS.size
  return changetype<usize>(RESULT)
}
