/**
 * The engine as its host sees it: one message at a time. Its linear memory, from 0 on:
 *
 *     | data | codes, blocks →    free    ← words | heap → |
 *            |<---- 1 to 16 MiB, `kept.ts` ------>|
 *
 * Data has a fixed size. Codes, the blocks that they are translated into, and the words that these name, last from message to
 * message and from state to state, until less than half of their room is left or there are many: then {@link forget} gives all of it back, and
 * makes the room larger. The heap (`heap.ts`) has accounts, slots, stacks, memories of frames, logs and what is handed to the host; it is given back by
 * every {@link forget}.
 */

import { setHotAfter } from './blocks.ts'
import { areCodesMany, startCodes, trimCodes, trims } from './code/code.ts'
import { step } from './compiled-steps.ts'
import { startCall } from './frames/calls.ts'
import { startCreation } from './frames/creations.ts'
import { setCodeSizeLimit } from './frames/deposit.ts'
import { frame } from './frames/frame.ts'
import { HALTED, leave, SUCCEEDED } from './frames/lifecycle.ts'
import {
  beginMemory,
  memoryAt,
  memorySize,
  reserveReturnData,
  resetMemory,
  returnAt,
  returnSize,
} from './frames/memory.ts'
import { writeResult } from './frames/result.ts'
import { startTelling } from './frames/tracing.ts'
import { allocateBlock, freeBlock, isHeapFull, resetHeap } from './host/heap.ts'
import { ACCOUNT } from './host/host.ts'
import { run } from './interpreter.ts'
import { startGasTable } from './rules/gas.ts'
import { haltHeight, haltOpcode, PRECOMPILE_FAILED, setHalt } from './rules/halt.ts'
import { useHardfork } from './rules/hardfork.ts'
import { Account, accountAt, beginAccounts, forgetAccounts, keepWarm, mark, WARM } from './state/account.ts'
import { resetChanges } from './state/collect.ts'
import { ENVIRONMENT, reserveBlobHashes, resetBlobHashes } from './state/environment.ts'
import { beginLogs, resetLogs } from './state/log.ts'
import { refunded, setRefund } from './state/refund.ts'
import { beginStorage, forgetStorage, loadedSlot, renewSlots, slotAt, valueOf, warmSlot } from './state/storage.ts'
import { beginUndoLog, resetUndoLog } from './state/undo-log.ts'
import { startShapes } from './translation/shapes.ts'
import { calldataload, hash, mload, mstore, mstore8 } from './translation/steps.ts'
import { byte, sar, shl, shr, signextend } from './words/bits.ts'
import { addmod, div, mod, mulmod, sdiv, smod } from './words/division.ts'

/** For compiled code. */
export {
  addmod,
  byte,
  calldataload,
  div,
  hash,
  memoryAt,
  memorySize,
  mload,
  mod,
  mstore,
  mstore8,
  mulmod,
  renewSlots,
  reserveBlobHashes,
  reserveReturnData,
  returnSize,
  run,
  sar,
  sdiv,
  setCodeSizeLimit,
  setHotAfter,
  shl,
  shr,
  signextend,
  smod,
  startTelling,
  step,
  trims,
}

/** Address and slot of a call from outside. */
const TARGET: usize = memory.data(32, 8)
const SLOT: usize = memory.data(32, 8)
/** Operands and results of what compiled code calls. */
const SCRATCH: usize = memory.data(8 * 32, 16)
/** Addresses, word after word. */
const PRECOMPILES: usize = memory.data(64 * 32, 8)
let precompileCount: u32 = 0
let inputAt: usize = 0

startGasTable()
startShapes()
startCodes((__heap_base + 15) & ~15)

/** From the next message on. @param rules - See `hardfork.ts`. */
export function setHardfork(rules: u32): void {
  useHardfork(rules)
  startGasTable()
}

/** Addresses at which the host writes and reads: see the modules that own them. */
export function environmentAt(): usize {
  return ENVIRONMENT
}

export function accountFieldsAt(): usize {
  return ACCOUNT
}

export function targetAt(): usize {
  return TARGET
}

export function scratchAt(): usize {
  return SCRATCH
}

export function slotKeyAt(): usize {
  return SLOT
}

/** Whether it is time to {@link forget}. */
export function isFull(): bool {
  return isHeapFull() || areCodesMany()
}

/** Forgets accounts and slots, and gives back what they took: for a message on another state. */
export function forget(): void {
  trimCodes()
  resetHeap()
  forgetAccounts()
  forgetStorage()
  resetUndoLog()
  resetLogs()
  resetMemory()
  resetChanges()
  resetBlobHashes()
  inputAt = 0
  for (let i: usize = 0; i < (precompileCount as usize); i++) keepWarm(accountAt(PRECOMPILES + 32 * i))
}

/** Begins a message, and makes room for its input. @returns Where it goes. */
export function prepare(inputSize: usize): usize {
  freeBlock(inputAt)
  beginAccounts()
  beginStorage()
  beginUndoLog()
  beginLogs()
  beginMemory()
  setRefund(0)
  reserveBlobHashes(0)
  inputAt = inputSize == 0 ? 0 : allocateBlock(inputSize)
  return inputAt
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

/** The slot of the target is warm from the start. */
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

export function failedOpcode(): u32 {
  return haltOpcode
}

export function failedHeight(): u32 {
  return haltHeight
}

export function refund(): i64 {
  return refunded
}

/**
 * Writes out how the message ended.
 *
 * @param withChanges - Also what it has changed, for the host to take over; otherwise it is undone.
 * @returns Where: see `result.ts`.
 */
export function finish(withChanges: bool): usize {
  return writeResult(withChanges)
}
