/**
 * The loop that executes code, step by step. Where a translated block starts, `blocks.ts` takes over
 * as far as it can; nearly all of the time is spent there. The next step, the top of the stack and the gas are locals,
 * written to the frame before anything that may begin or end one. It is one function, so that they can stay in
 * registers; the file's length follows from the number of opcodes.
 */

import { blockAt, runBlocks } from './blocks.ts'
import { analyze, isJumpDestination } from './code/code.ts'
import { balance, extcodecopy, extcodehash, extcodesize, sload, sstore } from './frames/access.ts'
import { callStep } from './frames/calls.ts'
import { createStep } from './frames/creations.ts'
import { selfdestruct } from './frames/destroy.ts'
import { frame, STACK_BYTES, valueOfFrame } from './frames/frame.ts'
import { HALTED, leave, REVERTED, SUCCEEDED } from './frames/lifecycle.ts'
import { extend, memoryAt, memorySize, returnAt, returnSize, toSize } from './frames/memory.ts'
import { isRunHere, price, runPrecompile } from './frames/precompiles.ts'
import { mayTell, TRACING, tellPause, tellSettled, tellStep } from './frames/tracing.ts'
import { EXP_BYTE_GAS, SENTRY_GAS, STEPS } from './rules/gas.ts'
import {
  haltReason,
  INVALID_JUMP,
  INVALID_OPCODE,
  OUT_OF_GAS,
  REENTRANCY_SENTRY,
  RETURN_DATA_OUT_OF_BOUNDS,
  STACK_OVERFLOW,
  STACK_UNDERFLOW,
  setHalt,
  setHaltStep,
  WRITE_PROTECTION,
} from './rules/halt.ts'
import { hardfork, OSAKA } from './rules/hardfork.ts'
import * as op from './rules/opcodes.ts'
import { balanceOf } from './state/account.ts'
import {
  BASE_FEE,
  BLOB_BASE_FEE,
  CHAIN_ID,
  COINBASE,
  GAS_LIMIT,
  GAS_PRICE,
  NUMBER,
  ORIGIN,
  PREVRANDAO,
  TIMESTAMP,
} from './state/environment.ts'
import { transientAt } from './state/storage.ts'
import { endsBlock } from './translation/shapes.ts'
import {
  blobhash,
  blockhash,
  calldataload,
  copyToMemory,
  hash,
  isWithinReturnData,
  log,
  mcopy,
  mload,
  mstore,
  mstore8,
  pushBytes,
  swapWords,
  tstore,
} from './translation/steps.ts'
import { add, bitLength, exp, mul, sub } from './words/arithmetic.ts'
import { and, byte, clzWord, eq, iszero, lt, not, or, sar, shl, shr, signextend, slt, xor } from './words/bits.ts'
import { addmod, div, mod, mulmod, sdiv, smod } from './words/division.ts'
import { copyWord, isZero, loadBigEndian, setSmall } from './words/word.ts'

/** Results of {@link run}: the message is over, its budget is spent, or the host has a precompile to run. */
export const DONE: u32 = 0
export const PAUSED: u32 = 1
export const PRECOMPILE: u32 = 2

/** Returned instead of a frame's outcome: another frame may run now. */
const SWITCHED: u32 = 3

/** Gas that each frame counts towards the pause, on top of the gas spent in it. */
const FRAME_BUDGET: i64 = 1000

/**
 * Executes from the current step of the topmost frame.
 *
 * @param budget - Gas after which it pauses; more than any opcode takes by itself.
 */
export function run(budget: i64): u32 {
  let pauseAt = frame.gas - budget
  // Whether a block may start at the next step; after a pause none does.
  let isStart = false
  while (true) {
    if (frame.precompile != 0) {
      if (!isRunHere()) return PRECOMPILE
      const cost = price()
      const left = frame.gas - pauseAt - FRAME_BUDGET - cost
      if (!runPrecompile(cost)) return DONE
      pauseAt = frame.gas - left
      continue
    }
    const code = frame.code
    analyze(code)
    const floor = frame.stack
    const top = floor + STACK_BYTES
    let pc = frame.pc
    if (pc == code.start) isStart = true
    let sp = frame.sp
    let gas = frame.gas
    let opcode: u32 = 0
    let reason = OUT_OF_GAS
    let ending = HALTED
    let output: usize = 0
    let outputSize: usize = 0
    // One comparison detects both running out of gas and the time to pause.
    const stopAt = max<i64>(pauseAt, 0)
    while (true) {
      if (!TRACING && isStart) {
        const block = blockAt(code, (pc - code.start) as u32)
        if (block != 0) {
          frame.sp = sp
          frame.gas = gas
          runBlocks(frame, block, stopAt)
          pc = frame.pc
          sp = frame.sp
          gas = frame.gas
          if (gas < 0) break
        }
      }
      opcode = load<u8>(pc++)
      if (!TRACING) isStart = endsBlock(opcode)
      if (TRACING && mayTell(opcode) && tellStep(opcode, pc - 1 - code.start, gas, sp)) {
        frame.pc = pc - 1
        frame.sp = sp
        frame.gas = gas
        return PAUSED
      }
      const step = STEPS + ((opcode as usize) << 3)
      const cost = load<u32>(step) as i64
      gas -= cost
      if (top - sp < (load<u16>(step, 4) as usize)) {
        reason = STACK_UNDERFLOW
        break
      }
      if (sp - floor < (load<u16>(step, 6) as usize)) {
        reason = STACK_OVERFLOW
        break
      }
      if (gas < stopAt) {
        if (gas < 0) break
        if (TRACING) tellPause(opcode)
        frame.pc = pc - 1
        frame.sp = sp
        frame.gas = gas + cost
        return PAUSED
      }
      switch (opcode) {
        case 0x00: // STOP
          ending = SUCCEEDED
          break
        case 0x01: // ADD
          add(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x02: // MUL
          mul(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x03: // SUB
          sub(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x04: // DIV
          div(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x05: // SDIV
          sdiv(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x06: // MOD
          mod(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x07: // SMOD
          smod(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x08: // ADDMOD
          addmod(sp + 64, sp, sp + 32, sp + 64)
          sp += 64
          continue
        case 0x09: // MULMOD
          mulmod(sp + 64, sp, sp + 32, sp + 64)
          sp += 64
          continue
        case 0x0a: // EXP
          gas -= EXP_BYTE_GAS * (((bitLength(sp + 32) + 7) >> 3) as i64)
          if (gas < 0) break
          exp(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x0b: // SIGNEXTEND
          signextend(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x10: // LT
          lt(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x11: // GT
          lt(sp + 32, sp + 32, sp)
          sp += 32
          continue
        case 0x12: // SLT
          slt(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x13: // SGT
          slt(sp + 32, sp + 32, sp)
          sp += 32
          continue
        case 0x14: // EQ
          eq(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x15: // ISZERO
          iszero(sp, sp)
          continue
        case 0x16: // AND
          and(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x17: // OR
          or(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x18: // XOR
          xor(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x19: // NOT
          not(sp, sp)
          continue
        case 0x1a: // BYTE
          byte(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x1b: // SHL
          shl(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x1c: // SHR
          shr(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x1d: // SAR
          sar(sp + 32, sp, sp + 32)
          sp += 32
          continue
        case 0x1e: // CLZ
          if (hardfork < OSAKA) {
            reason = INVALID_OPCODE
            break
          }
          clzWord(sp, sp)
          continue
        case 0x20: // KECCAK256
          gas = hash(gas, sp + 32, sp, sp + 32)
          sp += 32
          if (gas < 0) break
          continue
        case 0x30: // ADDRESS
          sp -= 32
          copyWord(sp, changetype<usize>(frame.account))
          continue
        case 0x31: // BALANCE
          gas = balance(gas, sp)
          if (gas < 0) break
          continue
        case 0x32: // ORIGIN
          sp -= 32
          copyWord(sp, ORIGIN)
          continue
        case 0x33: // CALLER
          sp -= 32
          copyWord(sp, frame.caller)
          continue
        case 0x34: // CALLVALUE
          sp -= 32
          copyWord(sp, valueOfFrame(frame))
          continue
        case 0x35: // CALLDATALOAD
          calldataload(sp, sp, frame)
          continue
        case 0x36: // CALLDATASIZE
          sp -= 32
          setSmall(sp, frame.inputSize as u64)
          continue
        case 0x37: // CALLDATACOPY
          gas = copyToMemory(gas, sp, frame.input, frame.inputSize as u64)
          sp += 96
          if (gas < 0) break
          continue
        case 0x38: // CODESIZE
          sp -= 32
          setSmall(sp, code.size as u64)
          continue
        case 0x39: // CODECOPY
          gas = copyToMemory(gas, sp, code.start, code.size as u64)
          sp += 96
          if (gas < 0) break
          continue
        case 0x3a: // GASPRICE
          sp -= 32
          copyWord(sp, GAS_PRICE)
          continue
        case 0x3b: // EXTCODESIZE
          gas = extcodesize(gas, sp)
          if (gas < 0) break
          continue
        case 0x3c: // EXTCODECOPY
          gas = extcodecopy(gas, sp)
          sp += 128
          if (gas < 0) break
          continue
        case 0x3d: // RETURNDATASIZE
          sp -= 32
          setSmall(sp, returnSize as u64)
          continue
        case 0x3e: // RETURNDATACOPY
          if (!isWithinReturnData(sp)) {
            reason = RETURN_DATA_OUT_OF_BOUNDS
            break
          }
          gas = copyToMemory(gas, sp, returnAt, returnSize as u64)
          sp += 96
          if (gas < 0) break
          continue
        case 0x3f: // EXTCODEHASH
          gas = extcodehash(gas, sp)
          if (gas < 0) break
          continue
        case 0x40: // BLOCKHASH
          blockhash(sp)
          continue
        case 0x41: // COINBASE
          sp -= 32
          copyWord(sp, COINBASE)
          continue
        case 0x42: // TIMESTAMP
          sp -= 32
          copyWord(sp, TIMESTAMP)
          continue
        case 0x43: // NUMBER
          sp -= 32
          copyWord(sp, NUMBER)
          continue
        case 0x44: // PREVRANDAO
          sp -= 32
          copyWord(sp, PREVRANDAO)
          continue
        case 0x45: // GASLIMIT
          sp -= 32
          copyWord(sp, GAS_LIMIT)
          continue
        case 0x46: // CHAINID
          sp -= 32
          copyWord(sp, CHAIN_ID)
          continue
        case 0x47: // SELFBALANCE
          sp -= 32
          copyWord(sp, balanceOf(frame.account))
          continue
        case 0x48: // BASEFEE
          sp -= 32
          copyWord(sp, BASE_FEE)
          continue
        case 0x49: // BLOBHASH
          blobhash(sp)
          continue
        case 0x4a: // BLOBBASEFEE
          sp -= 32
          copyWord(sp, BLOB_BASE_FEE)
          continue
        case 0x50: // POP
          sp += 32
          continue
        case 0x51: // MLOAD
          gas = mload(gas, sp, sp)
          if (gas < 0) break
          continue
        case 0x52: // MSTORE
          gas = mstore(gas, sp, sp + 32)
          sp += 64
          if (gas < 0) break
          continue
        case 0x53: // MSTORE8
          gas = mstore8(gas, sp, sp + 32)
          sp += 64
          if (gas < 0) break
          continue
        case 0x54: // SLOAD
          gas = sload(gas, sp, frame.account)
          if (gas < 0) break
          continue
        case 0x55: // SSTORE
          if (gas <= SENTRY_GAS) {
            reason = REENTRANCY_SENTRY
            break
          }
          if (frame.isStatic) {
            reason = WRITE_PROTECTION
            break
          }
          gas = sstore(gas, sp, frame)
          sp += 64
          if (gas < 0) break
          continue
        case 0x56: // JUMP
          if (!isJumpDestination(code, sp)) {
            reason = INVALID_JUMP
            break
          }
          pc = code.start + (load<u64>(sp) as usize)
          sp += 32
          continue
        case 0x57: // JUMPI
          sp += 64
          if (isZero(sp - 32)) continue
          if (!isJumpDestination(code, sp - 64)) {
            reason = INVALID_JUMP
            break
          }
          pc = code.start + (load<u64>(sp - 64) as usize)
          continue
        case 0x58: // PC
          sp -= 32
          setSmall(sp, (pc - 1 - code.start) as u64)
          continue
        case 0x59: // MSIZE
          sp -= 32
          setSmall(sp, memorySize as u64)
          continue
        case 0x5a: // GAS
          sp -= 32
          setSmall(sp, gas as u64)
          continue
        case 0x5b: // JUMPDEST
          continue
        case 0x5c: // TLOAD
          copyWord(sp, transientAt(frame.account, sp))
          continue
        case 0x5d: // TSTORE
          if (frame.isStatic) {
            reason = WRITE_PROTECTION
            break
          }
          tstore(sp, frame.account)
          sp += 64
          continue
        case 0x5e: // MCOPY
          gas = mcopy(gas, sp)
          sp += 96
          if (gas < 0) break
          continue
        case 0x5f: // PUSH0
          sp -= 32
          setSmall(sp, 0)
          continue
        case 0x60: // PUSH1
          sp -= 32
          setSmall(sp, load<u8>(pc) as u64)
          pc++
          continue
        case 0x61: // PUSH2
          sp -= 32
          setSmall(sp, bswap<u16>(load<u16>(pc)) as u64)
          pc += 2
          continue
        case 0x63: // PUSH4
          sp -= 32
          setSmall(sp, bswap<u32>(load<u32>(pc)) as u64)
          pc += 4
          continue
        case 0x7f: // PUSH32
          sp -= 32
          loadBigEndian(sp, pc)
          pc += 32
          continue
        case 0x80: // DUP1
          sp -= 32
          copyWord(sp, sp + 32)
          continue
        case 0x81: // DUP2
          sp -= 32
          copyWord(sp, sp + 64)
          continue
        case 0x82: // DUP3
          sp -= 32
          copyWord(sp, sp + 96)
          continue
        case 0x83: // DUP4
          sp -= 32
          copyWord(sp, sp + 128)
          continue
        case 0x84: // DUP5
          sp -= 32
          copyWord(sp, sp + 160)
          continue
        case 0x85: // DUP6
          sp -= 32
          copyWord(sp, sp + 192)
          continue
        case 0x86: // DUP7
          sp -= 32
          copyWord(sp, sp + 224)
          continue
        case 0x87: // DUP8
          sp -= 32
          copyWord(sp, sp + 256)
          continue
        case 0x88: // DUP9
          sp -= 32
          copyWord(sp, sp + 288)
          continue
        case 0x89: // DUP10
          sp -= 32
          copyWord(sp, sp + 320)
          continue
        case 0x8a: // DUP11
          sp -= 32
          copyWord(sp, sp + 352)
          continue
        case 0x8b: // DUP12
          sp -= 32
          copyWord(sp, sp + 384)
          continue
        case 0x8c: // DUP13
          sp -= 32
          copyWord(sp, sp + 416)
          continue
        case 0x8d: // DUP14
          sp -= 32
          copyWord(sp, sp + 448)
          continue
        case 0x8e: // DUP15
          sp -= 32
          copyWord(sp, sp + 480)
          continue
        case 0x8f: // DUP16
          sp -= 32
          copyWord(sp, sp + 512)
          continue
        case 0x90: // SWAP1
          swapWords(sp, sp + 32)
          continue
        case 0x91: // SWAP2
          swapWords(sp, sp + 64)
          continue
        case 0x92: // SWAP3
          swapWords(sp, sp + 96)
          continue
        case 0x93: // SWAP4
          swapWords(sp, sp + 128)
          continue
        case 0x94: // SWAP5
          swapWords(sp, sp + 160)
          continue
        case 0x95: // SWAP6
          swapWords(sp, sp + 192)
          continue
        case 0x96: // SWAP7
          swapWords(sp, sp + 224)
          continue
        case 0x97: // SWAP8
          swapWords(sp, sp + 256)
          continue
        case 0x98: // SWAP9
          swapWords(sp, sp + 288)
          continue
        case 0x99: // SWAP10
          swapWords(sp, sp + 320)
          continue
        case 0x9a: // SWAP11
          swapWords(sp, sp + 352)
          continue
        case 0x9b: // SWAP12
          swapWords(sp, sp + 384)
          continue
        case 0x9c: // SWAP13
          swapWords(sp, sp + 416)
          continue
        case 0x9d: // SWAP14
          swapWords(sp, sp + 448)
          continue
        case 0x9e: // SWAP15
          swapWords(sp, sp + 480)
          continue
        case 0x9f: // SWAP16
          swapWords(sp, sp + 512)
          continue
        case 0xa0: // LOG0
        case 0xa1: // LOG1
        case 0xa2: // LOG2
        case 0xa3: // LOG3
        case 0xa4: // LOG4
          if (frame.isStatic) {
            reason = WRITE_PROTECTION
            break
          }
          gas = log(gas, sp, (opcode - op.LOG0) as usize, frame.account)
          sp += ((opcode - op.LOG0 + 2) << 5) as usize
          if (gas < 0) break
          continue
        case 0xf0: // CREATE
        case 0xf5: // CREATE2
          frame.pc = pc
          frame.sp = sp
          frame.gas = gas
          if (createStep(opcode)) {
            ending = SWITCHED
            break
          }
          reason = haltReason
          gas = frame.gas
          break
        case 0xf1: // CALL
        case 0xf2: // CALLCODE
        case 0xf4: // DELEGATECALL
        case 0xfa: // STATICCALL
          frame.sp = sp
          frame.gas = gas
          frame.pc = pc
          if (callStep(opcode)) {
            ending = SWITCHED
            break
          }
          reason = haltReason
          gas = frame.gas
          break
        case 0xf3: // RETURN
        case 0xfd: // REVERT
          gas = extend(gas, toSize(sp), toSize(sp + 32))
          if (gas < 0) break
          output = memoryAt + (toSize(sp) as usize)
          outputSize = toSize(sp + 32) as usize
          ending = opcode == op.RETURN ? SUCCEEDED : REVERTED
          break
        case 0xff: // SELFDESTRUCT
          if (frame.isStatic) {
            reason = WRITE_PROTECTION
            break
          }
          gas = selfdestruct(gas, sp, frame)
          if (gas >= 0) ending = SUCCEEDED
          break
        default:
          if (opcode > op.PUSH1 && opcode < op.PUSH32) {
            sp -= 32
            pushBytes(sp, pc, (opcode - op.PUSH0) as usize)
            pc += (opcode - op.PUSH0) as usize
            continue
          }
          reason = INVALID_OPCODE
      }
      break
    }
    // Carry the remaining budget over to the gas of the next frame.
    const left = (gas < 0 ? 0 : gas) - pauseAt - FRAME_BUDGET
    if (ending != SWITCHED) {
      if (TRACING) tellSettled(gas, ending == HALTED ? reason : 0)
      frame.gas = gas
      if (ending == HALTED) {
        setHalt(reason)
        setHaltStep(opcode, ((top - sp) >> 5) as u32)
      }
      if (!leave(ending, output, outputSize)) return DONE
    }
    if (left < 0) return PAUSED
    pauseAt = frame.gas - left
    isStart = true
  }
}
