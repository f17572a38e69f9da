/**
 * The loop that executes translated code: see `instruction.ts`. It handles steps that need only the stack, the memory and
 * the input of a frame; `interpreter.ts` handles all the others. It is one function, so that the position, the stack and
 * the gas can stay in registers; the file's length follows from the number of instructions.
 */

import { blockOf, Code, isJumpDestination, mayHaveBlock } from './code/code.ts'
import {
  ADD,
  ADDMOD,
  ADDRESS,
  AND,
  addressOf,
  BLOCK,
  BRANCH_BYTES,
  BYTE,
  CALLDATALOAD,
  CALLDATASIZE,
  CALLER,
  CALLVALUE,
  COMPILED,
  DIV,
  EQUAL,
  EXCHANGE,
  GO,
  INSTRUCTION_BYTES,
  JUMP,
  JUMP_IF_EQUAL,
  JUMP_IF_LESS,
  JUMP_IF_NONZERO,
  JUMP_IF_NOT_EQUAL,
  JUMP_IF_NOT_LESS,
  JUMP_IF_NOT_SIGNED_LESS,
  JUMP_IF_SIGNED_LESS,
  JUMP_IF_ZERO,
  KECCAK256,
  LEAVE,
  LESS,
  MLOAD,
  MOD,
  MOVE,
  MSIZE,
  MSTORE,
  MSTORE8,
  MUL,
  MULMOD,
  NONZERO,
  NOT,
  NOT_EQUAL,
  NOT_LESS,
  NOT_SIGNED_LESS,
  OR,
  RETURNDATASIZE,
  SAR,
  SDIV,
  SHL,
  SHR,
  SIGNED_LESS,
  SIGNEXTEND,
  SMOD,
  SUB,
  XOR,
  ZERO,
} from './code/instruction.ts'
import { Frame, STACK_BYTES, valueOfFrame } from './frames/frame.ts'
import { memorySize, returnSize } from './frames/memory.ts'
import { hot } from './host/host.ts'
import { calldataload, hash, mload, mstore, mstore8, swapWords } from './translation/steps.ts'
import { translate } from './translation/translate.ts'
import { add, mul, sub } from './words/arithmetic.ts'
import { and, byte, eq, isBelowSigned, iszero, lt, not, or, sar, shl, shr, signextend, slt, xor } from './words/bits.ts'
import { addmod, div, mod, mulmod, sdiv, smod } from './words/division.ts'
import { copyWord, equalWords, isBelow, isZero, setSmall } from './words/word.ts'

/** Gas of a JUMP. */
const JUMP_GAS: i64 = 8

/**
 * What follows a compiled path: a step of the interpreter, a block, or a jump to the word above the top of the stack; see
 * `compiler/function.ts`.
 */
const NEXT_STEP: u32 = 0
const NEXT_JUMP: u32 = 2

/** The number of runs after which the host is asked, each time anew, to compile a block; less 1. */
let hotMask: u32 = 2047

/** @param runs - A power of two below 65,536; 0 for never. */
export function setHotAfter(runs: u32): void {
  hotMask = runs - 1
}

/** The block from an offset on, translated if it has not been; 0 if there is none, as in code that is not kept. */
export function blockAt(code: Code, offset: u32): usize {
  if (!code.isKept) return 0
  const known = blockOf(code, offset)
  if (known != 0 || !mayHaveBlock(code, offset)) return known
  return translate(code, offset)
}

/** Address of the result. */
// @inline
function to(ip: usize, sp: usize): usize {
  return sp + (load<i16>(ip, 2) as usize)
}

/** The operands. */
// @inline
function x(ip: usize, sp: usize): usize {
  return addressOf(load<i32>(ip, 4), sp)
}

// @inline
function y(ip: usize, sp: usize): usize {
  return addressOf(load<i32>(ip, 8), sp)
}

// @inline
function z(ip: usize, sp: usize): usize {
  return addressOf(load<i32>(ip, 12), sp)
}

/**
 * Runs a frame from a block up to the first step that the interpreter must handle, and leaves `pc` there. If the gas has
 * run out, it is below 0.
 *
 * @param stopAt - Does not start a block that would leave less gas than this.
 */
export function runBlocks(frame: Frame, block: usize, stopAt: i64): void {
  const code = frame.code
  const floor = frame.stack
  const top = floor + STACK_BYTES
  let ip = block
  let sp = frame.sp
  let gas = frame.gas
  let offset: u32 = 0
  while (true) {
    let isSo = false
    const instruction = load<u16>(ip) as u32
    switch (instruction) {
      case BLOCK: {
        const left = gas - (load<u16>(ip, 8) as i64)
        if (left < stopAt || top - sp < (load<u16>(ip, 12) as usize) || sp - floor < (load<u16>(ip, 2) as usize)) {
          offset = load<u32>(ip, 4)
          break
        }
        const runs = (load<u16>(ip, 14) as u32) + 1
        store<u16>(ip, runs as u16, 14)
        if ((runs & hotMask) == 0 && hot(changetype<usize>(code), ip)) continue
        gas = left
        ip += INSTRUCTION_BYTES
        continue
      }
      case COMPILED: {
        frame.sp = sp
        frame.gas = gas
        const follows = call_indirect<u32>(load<u16>(ip, 10) as u32, frame, stopAt)
        sp = frame.sp
        gas = frame.gas
        offset = frame.pc as u32
        if (follows == NEXT_STEP) break
        if (follows == NEXT_JUMP) {
          const target = sp - 32
          if (!isJumpDestination(code, target)) {
            // Retry the failing step with its operand.
            sp = target
            gas += JUMP_GAS
            break
          }
          offset = load<u32>(target)
        }
        const next = blockAt(code, offset)
        if (next == 0) break
        ip = next
        continue
      }
      case LEAVE:
        offset = load<u32>(ip, 4)
        sp = to(ip, sp)
        break
      case GO: {
        sp = to(ip, sp)
        offset = load<u32>(ip, 4)
        let next = load<u32>(ip, 8) as usize
        if (next == 0) {
          next = blockAt(code, offset)
          if (next == 0) break
          store<u32>(ip, next as u32, 8)
        }
        ip = next
        continue
      }
      case JUMP: {
        const target = x(ip, sp)
        sp = to(ip, sp)
        if (!isJumpDestination(code, target)) {
          // Retry the failing step with its operand.
          offset = load<u32>(ip, 8)
          sp -= 32
          copyWord(sp, target)
          gas += JUMP_GAS
          break
        }
        offset = load<u32>(target)
        const next = blockAt(code, offset)
        if (next == 0) break
        ip = next
        continue
      }
      case JUMP_IF_NONZERO:
        isSo = !isZero(x(ip, sp))
        break
      case JUMP_IF_ZERO:
        isSo = isZero(x(ip, sp))
        break
      case JUMP_IF_LESS:
        isSo = isBelow(x(ip, sp), y(ip, sp))
        break
      case JUMP_IF_NOT_LESS:
        isSo = !isBelow(x(ip, sp), y(ip, sp))
        break
      case JUMP_IF_SIGNED_LESS:
        isSo = isBelowSigned(x(ip, sp), y(ip, sp))
        break
      case JUMP_IF_NOT_SIGNED_LESS:
        isSo = !isBelowSigned(x(ip, sp), y(ip, sp))
        break
      case JUMP_IF_EQUAL:
        isSo = equalWords(x(ip, sp), y(ip, sp))
        break
      case JUMP_IF_NOT_EQUAL:
        isSo = !equalWords(x(ip, sp), y(ip, sp))
        break
      case NONZERO:
        setSmall(to(ip, sp), !isZero(x(ip, sp)) as u64)
        ip += INSTRUCTION_BYTES
        continue
      case ZERO:
        iszero(to(ip, sp), x(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case LESS:
        lt(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case NOT_LESS:
        setSmall(to(ip, sp), !isBelow(x(ip, sp), y(ip, sp)) as u64)
        ip += INSTRUCTION_BYTES
        continue
      case SIGNED_LESS:
        slt(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case NOT_SIGNED_LESS:
        setSmall(to(ip, sp), !isBelowSigned(x(ip, sp), y(ip, sp)) as u64)
        ip += INSTRUCTION_BYTES
        continue
      case EQUAL:
        eq(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case NOT_EQUAL:
        setSmall(to(ip, sp), !equalWords(x(ip, sp), y(ip, sp)) as u64)
        ip += INSTRUCTION_BYTES
        continue
      case MOVE:
        copyWord(to(ip, sp), x(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case EXCHANGE:
        swapWords(to(ip, sp), x(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case ADD:
        add(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case MUL:
        mul(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case SUB:
        sub(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case DIV:
        div(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case SDIV:
        sdiv(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case MOD:
        mod(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case SMOD:
        smod(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case ADDMOD:
        addmod(to(ip, sp), x(ip, sp), y(ip, sp), z(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case MULMOD:
        mulmod(to(ip, sp), x(ip, sp), y(ip, sp), z(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case SIGNEXTEND:
        signextend(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case AND:
        and(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case OR:
        or(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case XOR:
        xor(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case NOT:
        not(to(ip, sp), x(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case BYTE:
        byte(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case SHL:
        shl(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case SHR:
        shr(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case SAR:
        sar(to(ip, sp), x(ip, sp), y(ip, sp))
        ip += INSTRUCTION_BYTES
        continue
      case KECCAK256:
        gas = hash(gas, to(ip, sp), x(ip, sp), y(ip, sp))
        if (gas < 0) break
        ip += INSTRUCTION_BYTES
        continue
      case ADDRESS:
        copyWord(to(ip, sp), changetype<usize>(frame.account))
        ip += INSTRUCTION_BYTES
        continue
      case CALLER:
        copyWord(to(ip, sp), frame.caller)
        ip += INSTRUCTION_BYTES
        continue
      case CALLVALUE:
        copyWord(to(ip, sp), valueOfFrame(frame))
        ip += INSTRUCTION_BYTES
        continue
      case CALLDATALOAD:
        calldataload(to(ip, sp), x(ip, sp), frame)
        ip += INSTRUCTION_BYTES
        continue
      case CALLDATASIZE:
        setSmall(to(ip, sp), frame.inputSize as u64)
        ip += INSTRUCTION_BYTES
        continue
      case RETURNDATASIZE:
        setSmall(to(ip, sp), returnSize as u64)
        ip += INSTRUCTION_BYTES
        continue
      case MSIZE:
        setSmall(to(ip, sp), memorySize as u64)
        ip += INSTRUCTION_BYTES
        continue
      case MLOAD:
        gas = mload(gas, to(ip, sp), x(ip, sp))
        if (gas < 0) break
        ip += INSTRUCTION_BYTES
        continue
      case MSTORE:
        gas = mstore(gas, x(ip, sp), y(ip, sp))
        if (gas < 0) break
        ip += INSTRUCTION_BYTES
        continue
      case MSTORE8:
        gas = mstore8(gas, x(ip, sp), y(ip, sp))
        if (gas < 0) break
        ip += INSTRUCTION_BYTES
        continue
      default:
        unreachable()
    }
    if (instruction < JUMP_IF_NONZERO || instruction > JUMP_IF_NOT_EQUAL) break
    sp = to(ip, sp)
    if (!isSo) {
      ip += BRANCH_BYTES
      continue
    }
    let next = load<u32>(ip, 16) as usize
    if (next == 0) {
      offset = load<u32>(ip, 12)
      next = blockAt(code, offset)
      if (next == 0) break
      store<u32>(ip, next as u32, 16)
    }
    ip = next
  }
  frame.pc = code.start + (offset as usize)
  frame.sp = sp
  frame.gas = gas
}
