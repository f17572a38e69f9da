/** The calls and creations in progress, each on top of its caller. */

import { Code } from '../code/code.ts'
import { SPARE_WORDS } from '../code/symbols.ts'
import { Account } from '../state/account.ts'

/** Maximum depth of frames below the first. */
export const DEPTH_LIMIT: u32 = 1024
export const STACK_WORDS: usize = 1024
/** The stack grows downwards: its first word lies at the end of its block. */
export const STACK_BYTES: usize = STACK_WORDS * 32
/** Room before it for temporary values of translated code. */
export const SPARE_BYTES: usize = SPARE_WORDS * 32

@unmanaged
export class Frame {
  /** The account whose storage the code works on and whose address it sees. */
  account: Account
  /** The word with the caller's address. */
  caller: usize
  value0: u64
  value1: u64
  value2: u64
  value3: u64
  code: Code
  /** The next step, the top of the stack and its block. */
  pc: usize
  sp: usize
  stack: usize
  gas: i64
  input: usize
  inputSize: usize
  /** Where in the caller's memory the output goes, and how much of it. */
  outputAt: usize
  outputSize: usize
  /** This frame's memory, saved while a callee runs. */
  memoryAt: usize
  memorySize: usize
  isStatic: bool
  isCreation: bool
  /** The precompile that runs instead of code; 0 for none. */
  precompile: u32
  /** Lengths of undo log and logs, and the refund, to restore if the frame fails. */
  undoMark: usize
  logMark: usize
  refundMark: i64
}

const FRAMES: usize = memory.data(1025 * offsetof<Frame>(), 8)

/** The running frame, and its depth. */
export let frame: Frame = changetype<Frame>(FRAMES)
export let depth: u32 = 0

export function firstFrame(): Frame {
  depth = 0
  frame = changetype<Frame>(FRAMES)
  return frame
}

export function pushFrame(): Frame {
  depth++
  frame = changetype<Frame>(changetype<usize>(frame) + offsetof<Frame>())
  return frame
}

export function popFrame(): Frame {
  depth--
  frame = changetype<Frame>(changetype<usize>(frame) - offsetof<Frame>())
  return frame
}

export function valueOfFrame(owner: Frame): usize {
  return changetype<usize>(owner) + offsetof<Frame>('value0')
}
