/**
 * Calls to a host that traces. Each stands behind {@link TRACING}, so that the compiler leaves it out where
 * nobody does; the build makes the constant true in what is imported as `?traced-wasm`.
 */
import { Account } from '../state/account.ts'
import { frame, STACK_BYTES } from './frame.ts'
import { memoryAt, memorySize, returnAt, returnSize } from './memory.ts'

export const TRACING: bool = false

/** A step is about to be done. @returns Whether to pause before it. */
declare function step(
  opcode: u32,
  pc: usize,
  gas: i64,
  sp: usize,
  bottom: usize,
  account: usize,
  memory: usize,
  memorySize: usize,
  returned: usize,
  returnedSize: usize,
): bool
/** The step that was told of is done, or has failed for a reason; this gas is left, below 0 if it was not enough. */
declare function settle(gas: i64, reason: u32): void
/** A frame begins, as of that opcode. Addresses and value are words. */
declare function enter(
  opcode: u32,
  from: usize,
  to: usize,
  value: usize,
  gas: i64,
  input: usize,
  inputSize: usize,
): void
/** The newest frame ends with so much gas left. */
declare function exit(status: u32, reason: u32, gas: i64, output: usize, outputSize: usize): void
/** A log was written: see `log.ts`. */
declare function log(at: usize): void

/** Whether steps are reported; frames and logs always are. */
let tellsSteps: bool = false
/** The step that is next was told of before the pause. */
let isTold: bool = false

export function startTelling(steps: bool): void {
  tellsSteps = steps
  isTold = false
}

/** @returns Whether to pause before the step, which is reported once. */
export function tellStep(opcode: u32, pc: usize, gas: i64, sp: usize): bool {
  if (isTold) {
    isTold = false
    return false
  }
  // No code at all has no steps.
  if (!tellsSteps || frame.code.size == 0) return false
  const account = changetype<usize>(frame.account)
  const bottom = frame.stack + STACK_BYTES
  isTold = step(opcode, pc, gas, sp, bottom, account, memoryAt, memorySize, returnAt, returnSize)
  return isTold
}

/** Execution pauses before a step that was told of. */
export function tellPause(): void {
  isTold = true
}

export function tellSettled(gas: i64, reason: u32): void {
  settle(gas, reason)
}

export function tellEnter(
  opcode: u32,
  from: usize,
  to: Account,
  value: usize,
  gas: i64,
  input: usize,
  inputSize: usize,
): void {
  enter(opcode, from, changetype<usize>(to), value, gas, input, inputSize)
}

export function tellExit(status: u32, reason: u32, gas: i64, output: usize, outputSize: usize): void {
  exit(status, reason, gas, output, outputSize)
}

export function tellLog(at: usize): void {
  log(at)
}
