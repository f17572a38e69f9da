/** Begin and end of frames of all kinds. */

import { Code, freeCode } from '../code/code.ts'
import { allocateBlock, freeBlock } from '../host/heap.ts'
import { haltReason, OUT_OF_GAS, setHalt } from '../rules/halt.ts'
import { Account } from '../state/account.ts'
import { logMark, revertLogs } from '../state/log.ts'
import { refunded, setRefund } from '../state/refund.ts'
import { revertTo, undoMark } from '../state/undo-log.ts'
import { copyWord, setSmall } from '../words/word.ts'
import { deposit } from './deposit.ts'
import { depth, Frame, frame, popFrame, SPARE_BYTES, STACK_BYTES, valueOfFrame } from './frame.ts'
import { dropMemory, memoryAt, memorySize, returnAt, returnSize, setReturnData, useMemory } from './memory.ts'
import { TRACING, tellExit } from './tracing.ts'

/** Outcomes of a frame. */
export const SUCCEEDED: u32 = 0
export const REVERTED: u32 = 1
export const HALTED: u32 = 2

/** Outcome of the last frame to end and, for a creation, its account. */
export let outcome: u32 = 0
export let createdAccount: Account | null = null

/** Sets the fields of every frame: caller, callee, and the checkpoint to revert to. */
export function begin(on: Frame, account: Account, caller: usize, value: usize, gas: i64): Frame {
  on.account = account
  on.caller = caller
  copyWord(valueOfFrame(on), value)
  on.gas = gas
  on.stack = 0
  on.precompile = 0
  on.isCreation = false
  on.undoMark = undoMark()
  on.logMark = logMark()
  on.refundMark = refunded
  return on
}

/** Sets the code that the frame runs. */
export function runCode(on: Frame, code: Code): void {
  on.code = code
  on.pc = code.start
  on.stack = allocateBlock(SPARE_BYTES + STACK_BYTES) + SPARE_BYTES
  on.sp = on.stack + STACK_BYTES
}

/** Suspends the caller for the frame that is about to begin. */
export function suspend(caller: Frame): void {
  caller.memoryAt = memoryAt
  caller.memorySize = memorySize
  useMemory(0, 0)
}

/**
 * Ends the running frame, with its output in memory, and resumes its caller.
 *
 * @returns Whether there is one.
 */
export function leave(status: u32, output: usize, outputSize: usize): bool {
  const ended = frame
  if (status == SUCCEEDED && ended.isCreation && !deposit(ended, output, outputSize)) status = HALTED
  if (status != SUCCEEDED) {
    revertTo(ended.undoMark)
    revertLogs(ended.logMark)
    setRefund(ended.refundMark)
  }
  if (status == REVERTED) setHalt(0)
  if (status == HALTED) ended.gas = 0
  setReturnData(output, status == HALTED ? 0 : outputSize)
  dropMemory()
  if (ended.stack != 0) freeBlock(ended.stack - SPARE_BYTES)
  if (ended.isCreation) freeCode(ended.code)
  if (TRACING) tellExit(status, status == SUCCEEDED ? 0 : haltReason, ended.gas, returnAt, returnSize)
  outcome = status
  createdAccount = ended.isCreation ? ended.account : null
  if (depth == 0) return false
  resume(popFrame(), ended, status)
  return true
}

function resume(caller: Frame, ended: Frame, status: u32): void {
  useMemory(caller.memoryAt, caller.memorySize)
  caller.gas += ended.gas
  if (status != SUCCEEDED) setSmall(caller.sp, 0)
  else if (ended.isCreation) copyWord(caller.sp, changetype<usize>(ended.account))
  else setSmall(caller.sp, 1)
  if (ended.isCreation) {
    if (status == SUCCEEDED) setReturnData(0, 0)
    return
  }
  const taken = min<usize>(ended.outputSize, returnSize)
  if (taken != 0) memory.copy(memoryAt + ended.outputAt, returnAt, taken)
}

/** Ends the outermost frame before it runs. @returns That there is nothing to run. */
export function endAtOnce(status: u32, reason: u32): bool {
  setHalt(reason)
  outcome = status
  if (status != SUCCEEDED) revertTo(frame.undoMark)
  if (status == HALTED) frame.gas = 0
  if (TRACING) tellExit(status, reason, frame.gas, 0, 0)
  createdAccount = frame.isCreation ? frame.account : null
  return false
}

/** Ends a call or creation without a frame: returns the gas and pushes the outcome. @param reason - 0 for success. */
export function answer(caller: Frame, gas: i64, reason: u32): bool {
  if (TRACING) tellExit(reason == 0 ? SUCCEEDED : HALTED, reason, gas, 0, 0)
  caller.gas += gas
  setSmall(caller.sp, reason == 0 ? 1 : 0)
  return true
}

/** Halts: the current step cannot be paid. @param gas - The remaining gas, below 0. */
export function outOfGas(gas: i64): bool {
  frame.gas = gas
  return halt(OUT_OF_GAS)
}

/** Halts: the current step is invalid. */
export function halt(reason: u32): bool {
  setHalt(reason)
  return false
}
