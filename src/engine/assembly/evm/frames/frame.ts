/** The calls and creations that are under way, each on top of the one that waits for it. */

import { Code } from '../code/code.ts'
import { SPARE_WORDS } from '../code/symbols.ts'
import { Account } from '../state/account.ts'

/** Frames below the first, at the most. */
export const DEPTH_LIMIT: u32 = 1024
export const STACK_WORDS: usize = 1024
/** The stack grows downwards: its first word lies at the end of its block. */
export const STACK_BYTES: usize = STACK_WORDS * 32
/** Room before it, for what translated code has under way. */
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
  /** The part of the output that goes to the caller's memory. */
  outputAt: usize
  outputSize: usize
  /** Of this frame, while another one runs above it. */
  memoryAt: usize
  memorySize: usize
  isStatic: bool
  isCreation: bool
  /** The precompile that runs in place of code; 0 for none. */
  precompile: u32
  /** Lengths of journal and logs, and the refund, to go back to if the frame fails. */
  journalMark: usize
  logMark: usize
  refundMark: i64
}

const FRAMES: usize = memory.data(1025 * offsetof<Frame>(), 8)

/** The frame that runs, and how many it stands on. */
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
