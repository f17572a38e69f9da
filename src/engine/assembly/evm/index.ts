/** The engine as its host sees it: one message at a time. */
import { Account, accountAt, mark, resetAccounts, WARM } from './account.ts'
import { startCall } from './calls.ts'
import { startCodes, trimCodes } from './code.ts'
import { CHANGED_ACCOUNTS, CHANGED_SLOTS, collectChanges, resetChanges } from './collect.ts'
import { startCreation } from './creations.ts'
import { ENVIRONMENT, reserveBlobHashes } from './environment.ts'
import { useFork } from './fork.ts'
import { frame } from './frame.ts'
import { startGasTable } from './gas.ts'
import { haltHeight, haltOpcode, haltReason, PRECOMPILE_FAILED, setHalt } from './halt.ts'
import { allocateBlock, resetHeap } from './heap.ts'
import { ACCOUNT } from './host.ts'
import { run } from './interpreter.ts'
import { resetJournal } from './journal.ts'
import { createdAccount, HALTED, outcome as lastOutcome, leave, SUCCEEDED } from './lifecycle.ts'
import { LOGS, resetLogs } from './log.ts'
import { reserveReturnData, resetMemory, returnAt, returnSize } from './memory.ts'
import { refunded, setRefund } from './refund.ts'
import { startShapes } from './shapes.ts'
import { loadedSlot, resetStorage, slotAt, valueOf, warmSlot } from './storage.ts'
import { startTelling } from './tracing.ts'

export { reserveBlobHashes, reserveReturnData, run, startTelling }

/** Address and slot of a call from outside. */
const TARGET: usize = memory.data(32, 8)
const SLOT: usize = memory.data(32, 8)
/** Addresses, word after word. */
const PRECOMPILES: usize = memory.data(64 * 32, 8)
let precompileCount: u32 = 0

startGasTable()
startShapes()
startCodes((__heap_base + 15) & ~15)

/** From the next message on. @param rules - See `fork.ts`. */
export function setFork(rules: u32): void {
  useFork(rules)
  startGasTable()
}

/** Where the host writes and reads: see the modules that own these places. */
export function environmentAt(): usize {
  return ENVIRONMENT
}

export function accountFieldsAt(): usize {
  return ACCOUNT
}

export function targetAt(): usize {
  return TARGET
}

export function slotKeyAt(): usize {
  return SLOT
}

/** Forgets the message before, and makes room for the input of the next. @returns Where it goes. */
export function prepare(inputSize: usize): usize {
  trimCodes()
  resetHeap()
  resetAccounts()
  resetStorage()
  resetJournal()
  resetLogs()
  resetMemory()
  resetChanges()
  setRefund(0)
  reserveBlobHashes(0)
  for (let i: usize = 0; i < (precompileCount as usize); i++) mark(accountAt(PRECOMPILES + 32 * i), WARM)
  return inputSize == 0 ? 0 : allocateBlock(inputSize)
}

/** Makes room for the addresses of the precompiles, words that the host writes once; they are always warm. */
export function reservePrecompiles(count: u32): usize {
  precompileCount = count
  return PRECOMPILES
}

/** The account at the target address is warm from the start. */
export function warmTarget(): void {
  mark(accountAt(TARGET), WARM)
}

/** So is its slot. */
export function warmTargetSlot(): void {
  warmSlot(slotAt(accountAt(TARGET), SLOT))
}

/** The word that an account has in the slot of a key now, whether or not anything has asked for it. */
export function slotValueAt(account: usize, key: usize): usize {
  return valueOf(loadedSlot(slotAt(changetype<Account>(account), key)))
}

/** Begins the message. @returns Whether there is something to {@link run}. */
export function call(input: usize, inputSize: usize, gas: i64): bool {
  return startCall(TARGET, input, inputSize, gas)
}

export function create(input: usize, inputSize: usize, gas: i64): bool {
  return startCreation(input, inputSize, gas)
}

export function gasLeft(): i64 {
  return frame.gas
}

/** The precompile that {@link run} waits for, and its input. */
export function precompile(): u32 {
  return frame.precompile
}

export function precompileInputAt(): usize {
  return frame.input
}

export function precompileInputSize(): usize {
  return frame.inputSize
}

/** Ends a precompile, whose output is the return data. @returns Whether there is more to {@link run}. */
export function endPrecompile(isSuccess: bool, gas: i64): bool {
  frame.gas = gas
  if (isSuccess) return leave(SUCCEEDED, returnAt, returnSize)
  setHalt(PRECOMPILE_FAILED)
  return leave(HALTED, 0, 0)
}

/** How the message ended. */
export function outcome(): u32 {
  return lastOutcome
}

export function reason(): u32 {
  return haltReason
}

export function failedOpcode(): u32 {
  return haltOpcode
}

export function failedHeight(): u32 {
  return haltHeight
}

export function refund(): i64 {
  return refunded
}

export function outputAt(): usize {
  return returnAt
}

export function outputSize(): usize {
  return returnSize
}

/** The word with the address of the contract that was made. */
export function createdAddressAt(): usize {
  return changetype<usize>(createdAccount)
}

export function logsAt(): usize {
  return LOGS.start
}

export function logsSize(): usize {
  return LOGS.size
}

/** Writes out what has changed. */
export function collect(): void {
  collectChanges()
}

export function changedAccountsAt(): usize {
  return CHANGED_ACCOUNTS.start
}

export function changedAccountsSize(): usize {
  return CHANGED_ACCOUNTS.size
}

export function changedSlotsAt(): usize {
  return CHANGED_SLOTS.start
}

export function changedSlotsSize(): usize {
  return CHANGED_SLOTS.size
}
