/**
 * Calls to a host that traces. Each is guarded by {@link TRACING}, so that the compiler drops them when
 * nothing traces; the build sets the constant to true for imports with `?traced-wasm`.
 */
import { allocateBlock, freeBlock } from '../host/heap.ts'
import { Account } from '../state/account.ts'
import { depth, frame, STACK_BYTES } from './frame.ts'
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
/** Hands over the steps recorded since the last call: of each 4 bytes of either column, big-endian. */
declare function record(pcs: usize, gas: usize, count: u32): void

/** Steps that are recorded before the host takes them; it also takes them before every other event. */
const MOST_RECORDED: u32 = 8000
const COLUMN_BYTES: usize = (MOST_RECORDED as usize) << 2
const MAX_UINT32: i64 = 0xffffffff

/** What the host is told of the steps of a message; it is told of frames and logs in any case. */
const REPORT: u32 = 0
const RECORD: u32 = 1
const NEW_USES: u32 = 2
let telling: u32 = REPORT
/** Whether {@link tellStep} is asked about steps, for each opcode. */
const ASKED: usize = memory.data(256, 8)
/** The columns of places and of gas, from the first recorded step of a message to its end; 0 for none. */
let columns: usize = 0
let recorded: u32 = 0
/** Steps to pass over, and steps to report after these. */
let skipped: i64 = 0
let told: i64 = 0
/** Whether the last one was reported, and not yet what it cost: the step after it tells. */
let isLastOpen: bool = false
/** Whether the next step was reported before the pause. */
let isTold: bool = false

/**
 * Accounts and slots whose use was reported, some of them: at each place the account of a slot, 0 for an account, and a
 * word.
 */
const USES: usize = memory.data(256 * 40, 8)
const USE_BYTES: usize = 40
const MOST_USES: usize = 256
/** Whether any was reported since they were cleared. */
let hasUses: bool = false

/**
 * Chooses what the host is told of the steps of the next message.
 *
 * @param kind - 0: those from `first` on are reported, `count` of them. 1: all of them are recorded. 2: those that use an
 * account or a slot are reported, without their cost, and hardly any that uses the same as one before.
 */
export function startTelling(kind: u32, first: i64, count: i64): void {
  if (!TRACING) return
  telling = kind
  columns = 0
  recorded = 0
  skipped = first
  told = count
  isLastOpen = false
  isTold = false
  for (let opcode: u32 = 0; opcode < 256; opcode++) {
    store<u8>(ASKED + (opcode as usize), kind != NEW_USES || usedWords(opcode) > 0 ? 1 : 0)
  }
  if (hasUses) memory.fill(USES, 0, MOST_USES * USE_BYTES)
  hasUses = false
}

/** Whether {@link tellStep} must be called before steps of the opcode. */
// @inline
export function mayTell(opcode: u32): bool {
  return load<u8>(ASKED + (opcode as usize)) != 0
}

/** @returns Whether to pause before the step, which is reported once. */
export function tellStep(opcode: u32, pc: usize, gas: i64, sp: usize): bool {
  if (isTold) {
    isTold = false
    return false
  }
  // Empty code has no steps.
  if (frame.code.size == 0) return false
  if (telling == RECORD) {
    recordStep(pc, gas)
    return false
  }
  if (telling == NEW_USES && !isNewUse(opcode, sp)) return false
  if (skipped > 0) {
    skipped--
    return false
  }
  if (told == 0) {
    if (isLastOpen) settle(gas, 0)
    isLastOpen = false
    return false
  }
  isLastOpen = --told == 0
  const account = changetype<usize>(frame.account)
  const bottom = frame.stack + STACK_BYTES
  isTold = step(opcode, pc, gas, sp, bottom, account, memoryAt, memorySize, returnAt, returnSize)
  if (telling == NEW_USES) settle(gas, 0)
  return isTold
}

/** Whether the step uses an account or a slot, and the same use was not reported. */
function isNewUse(opcode: u32, sp: usize): bool {
  const words = usedWords(opcode)
  if (words == 0 || frame.stack + STACK_BYTES - sp < words << 5) return false
  const isSlot = opcode == 0x54 || opcode == 0x55
  const account = isSlot ? changetype<usize>(frame.account) : 0
  // A call names its account in the second word.
  const word = words == 1 ? sp : sp + 32
  const hash = (load<u64>(word) ^ load<u64>(word, 8) ^ load<u64>(word, 16) ^ load<u64>(word, 24)) * 0x9e3779b97f4a7c15
  const use = USES + ((hash >> 56) as usize) * USE_BYTES
  // The lowest bit tells a place that is taken from a free one.
  if (load<u64>(use) == (((account as u64) << 1) | 1) && isSameWord(use + 8, word)) return false
  hasUses = true
  store<u64>(use, ((account as u64) << 1) | 1)
  memory.copy(use + 8, word, 32)
  return true
}

/** How many words a step must find on the stack to use the account or the slot that one of them names; 0 for other steps. */
function usedWords(opcode: u32): usize {
  if (opcode == 0x54 || opcode == 0x55) return 1
  if (opcode == 0x31 || opcode == 0x3b || opcode == 0x3c || opcode == 0x3f || opcode == 0xff) return 1
  return opcode == 0xf1 || opcode == 0xf2 || opcode == 0xf4 || opcode == 0xfa ? 5 : 0
}

function isSameWord(a: usize, b: usize): bool {
  return (
    load<u64>(a) == load<u64>(b) &&
    load<u64>(a, 8) == load<u64>(b, 8) &&
    load<u64>(a, 16) == load<u64>(b, 16) &&
    load<u64>(a, 24) == load<u64>(b, 24)
  )
}

function recordStep(pc: usize, gas: i64): void {
  if (columns == 0) columns = allocateBlock(2 * COLUMN_BYTES)
  const at = columns + ((recorded as usize) << 2)
  store<u32>(at, bswap<u32>(pc as u32))
  store<u32>(at + COLUMN_BYTES, bswap<u32>((gas > MAX_UINT32 ? MAX_UINT32 : gas) as u32))
  if (++recorded == MOST_RECORDED) handOver()
}

/** Gives the host what is recorded. */
function handOver(): void {
  if (recorded == 0) return
  record(columns, columns + COLUMN_BYTES, recorded)
  recorded = 0
}

/** Execution pauses before a step of the opcode, which {@link tellStep} has seen. */
export function tellPause(opcode: u32): void {
  isTold = mayTell(opcode)
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
  handOver()
  enter(opcode, from, changetype<usize>(to), value, gas, input, inputSize)
}

export function tellExit(status: u32, reason: u32, gas: i64, output: usize, outputSize: usize): void {
  handOver()
  exit(status, reason, gas, output, outputSize)
  if (depth > 0) return
  freeBlock(columns)
  columns = 0
}

export function tellLog(at: usize): void {
  handOver()
  log(at)
}
