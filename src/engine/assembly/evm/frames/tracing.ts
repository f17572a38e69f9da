/**
 * Calls to a host that traces. Each is guarded by {@link TRACING}, so that the compiler drops them when
 * nothing traces; the build sets the constant to true for imports with `?traced-wasm`.
 */
import { Account } from '../state/account.ts'
import { frame, STACK_BYTES } from './frame.ts'
import { memoryAt, memorySize, returnAt, returnSize } from './memory.ts'

export const TRACING: bool = false

/** A step is about to run. @returns Whether to pause before it. */
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
/** The reported step has ended, or failed with a reason; `gas` is the remainder, below 0 if it was not enough. */
declare function settle(gas: i64, reason: u32): void
/** A frame begins, by this opcode. Addresses and value are words. */
declare function enter(
  opcode: u32,
  from: usize,
  to: usize,
  value: usize,
  gas: i64,
  input: usize,
  inputSize: usize,
): void
/** The newest frame ends with this much gas left. */
declare function exit(status: u32, reason: u32, gas: i64, output: usize, outputSize: usize): void
/** A log was written: see `log.ts`. */
declare function log(at: usize): void

/** Whether steps are reported; frames and logs always are. */
let tellsSteps: bool = false
/** Whether the next step was reported before the pause. */
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
  // Empty code has no steps.
  if (!tellsSteps || frame.code.size == 0) return false
  const account = changetype<usize>(frame.account)
  const bottom = frame.stack + STACK_BYTES
  isTold = step(opcode, pc, gas, sp, bottom, account, memoryAt, memorySize, returnAt, returnSize)
  return isTold
}

/** Execution pauses before a reported step. */
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
