/** Translates code from an offset on into blocks of instructions: see `instruction.ts`. */
import { blockOf, Code, isJumpDestination, markBlock, markEmpty } from '../code/code.ts'
import {
  BLOCK,
  BRANCH_BYTES,
  constantAt,
  GO,
  isComparison,
  JUMP,
  JUMP_IF_NONZERO,
  JUMPS_FROM_COMPARISONS,
  LEAVE,
  onStack,
  ZERO,
} from '../code/instruction.ts'
import { keptRoom, nextKept, takeKept } from '../code/kept.ts'
import {
  freePlace,
  height,
  held,
  highest,
  hold,
  isLiteral,
  isNearReach,
  isNeeded,
  literalAt,
  lowest,
  offsetOfLiteral,
  popSymbol,
  pushSymbol,
  setSymbol,
  startSymbols,
  symbolAt,
} from '../code/symbols.ts'
import { STEPS } from '../rules/gas.ts'
import * as op from '../rules/opcodes.ts'
import { emit, emitAt, end, operandOf } from './emit.ts'
import { evaluate, isFixed } from './fold.ts'
import { settle } from './settle.ts'
import { endsBlock, hasResult, instructionOf, operandsOf, wordPushedBy } from './shapes.ts'
import { pushBytes } from './steps.ts'

/** Steps that a block has at the most, and more than it takes of the memory then: instructions, moves, words. */
const MAX_STEPS: u32 = 256
const MAX_BYTES: usize = 65_536

/** Continues with the block at an offset. @returns The address of the instruction. */
function emitGo(code: Code, offset: u32, moved: i32): usize {
  const at = emit(GO, moved)
  store<u32>(at, offset, 4)
  store<u32>(at, blockOf(code, offset) as u32, 8)
  return at
}

/**
 * Translates from an offset up to the first step that ends execution or that the interpreter must handle.
 *
 * @returns The address of the first block; 0 if it would be empty, or there is no room.
 */
export function translate(code: Code, offset: u32): usize {
  const first = nextKept()
  emitAt(first)
  let next: u32 = offset
  while (true) {
    if (keptRoom() < MAX_BYTES + (end - first)) {
      if (end == first) return 0
      emitGo(code, next, 0)
      break
    }
    const begin = end
    const isOpen = translateBlock(code, next)
    if (end == begin) {
      markEmpty(code, next)
      if (end == first) return 0
      store<u32>(emit(LEAVE, 0), next, 4)
      break
    }
    markBlock(code, next, begin)
    if (!isOpen) break
    next = stopped
  }
  takeKept(end - first)
  return first
}

/** Position at which {@link translateBlock} has stopped. */
let stopped: u32 = 0

/** @returns Whether another block follows, at {@link stopped}. */
function translateBlock(code: Code, offset: u32): bool {
  startSymbols()
  const begin = emit(BLOCK, 0)
  let gas: u32 = 0
  let steps: u32 = 0
  let pc = offset
  let isOpen = false
  // The newest instruction, if it compares.
  let comparison: usize = 0
  // A hash may take long: the next block checks whether it is time to pause.
  let hasHashed = false
  while (true) {
    const opcode = load<u8>(code.start + (pc as usize)) as u32
    const cost = load<u32>(STEPS + ((opcode as usize) << 3))
    const isNewBlock = (opcode == op.JUMPDEST && pc != offset) || hasHashed || steps == MAX_STEPS || isNearReach()
    if (isNewBlock) {
      settle(code)
      // The block there follows at once, unless it was translated before.
      isOpen = blockOf(code, pc) == 0
      const go = emitGo(code, pc, -32 * height)
      if (isOpen) store<u32>(go, end as u32, 8)
      break
    }
    if (opcode == op.JUMP && jump(code, pc)) {
      gas += cost
      break
    }
    if (opcode == op.JUMPI && jumpIf(code, comparison)) {
      gas += cost
      pc++
      isOpen = blockOf(code, pc) == 0
      if (!isOpen) emitGo(code, pc, 0)
      break
    }
    if (endsBlock(opcode)) {
      if (steps == 0) {
        emitAt(begin)
        return false
      }
      settle(code)
      store<u32>(emit(LEAVE, -32 * height), pc, 4)
      break
    }
    gas += cost
    steps++
    hasHashed = opcode == op.KECCAK256
    comparison = translateStep(code, opcode, pc, comparison)
    pc += op.isPush(opcode) ? opcode - op.PUSH0 + 1 : 1
  }
  store<u16>(begin, (32 * highest) as u16, 2)
  store<u32>(begin, offset, 4)
  store<u16>(begin, gas as u16, 8)
  store<u16>(begin, (-32 * lowest) as u16, 12)
  store<u16>(begin, 0, 14)
  stopped = pc
  return isOpen
}

/** JUMP. @returns Whether it was translated; a jump to an invalid destination is not. */
function jump(code: Code, offset: u32): bool {
  const target = symbolAt(height - 1)
  if (isLiteral(target)) {
    const to = destinationOf(code, target)
    if (to == NOWHERE) return false
    popSymbol()
    settle(code)
    emitGo(code, to, -32 * height)
    return true
  }
  hold(0, operandOf(popSymbol(), code))
  settle(code)
  const at = emit(JUMP, -32 * height)
  store<i32>(at, held(0), 4)
  store<u32>(at, offset, 8)
  return true
}

/** JUMPI to a destination given in the code. @returns Whether it was translated. */
function jumpIf(code: Code, comparison: usize): bool {
  const target = symbolAt(height - 1)
  const to = isLiteral(target) ? destinationOf(code, target) : NOWHERE
  if (to == NOWHERE) return false
  popSymbol()
  const condition = popSymbol()
  let instruction: u32 = JUMP_IF_NONZERO
  if (isResultOf(comparison, condition)) {
    instruction = load<u16>(comparison) - JUMPS_FROM_COMPARISONS
    hold(0, load<i32>(comparison, 4))
    hold(1, load<i32>(comparison, 8))
    emitAt(comparison)
  } else {
    hold(0, operandOf(condition, code))
  }
  settle(code)
  const at = emit(instruction, -32 * height, BRANCH_BYTES)
  store<i32>(at, held(0), 4)
  store<i32>(at, held(1), 8)
  store<u32>(at, to, 12)
  store<u32>(at, blockOf(code, to) as u32, 16)
  return true
}

/** Whether nothing else needs the result of the newest instruction, a comparison. It is on the stack no longer. */
function isResultOf(comparison: usize, symbol: i32): bool {
  return comparison != 0 && symbol == onStack(load<i16>(comparison, 2) as i32) && !isNeeded(symbol)
}

const NOWHERE: u32 = u32.MAX_VALUE

/** The destination of a jump to a literal, if it is valid. */
function destinationOf(code: Code, literal: i32): u32 {
  const push = code.start + (offsetOfLiteral(literal) as usize)
  pushBytes(TARGET, push + 1, (load<u8>(push) - (op.PUSH0 as u8)) as usize)
  return isJumpDestination(code, TARGET) ? (load<u32>(TARGET) as u32) : NOWHERE
}

const TARGET: usize = memory.data(32, 8)

/** A step within a block. @returns The newest instruction, if it compares. */
function translateStep(code: Code, opcode: u32, offset: u32, comparison: usize): usize {
  if (op.isPush(opcode)) {
    pushSymbol(literalAt(offset))
  } else if (opcode >= op.DUP1 && opcode <= op.DUP16) {
    pushSymbol(symbolAt(height - 1 + (op.DUP1 as i32) - (opcode as i32)))
  } else if (opcode >= op.SWAP1) {
    const below = height - 2 + (op.SWAP1 as i32) - (opcode as i32)
    const symbol = symbolAt(below)
    setSymbol(below, symbolAt(height - 1))
    setSymbol(height - 1, symbol)
  } else if (opcode == op.POP) {
    popSymbol()
  } else if (opcode != op.JUMPDEST) {
    const word = wordPushedBy(opcode)
    if (word == 0) return compute(code, opcode, comparison)
    pushSymbol(constantAt(word))
  }
  return comparison
}

/** @returns As {@link translateStep}. */
function compute(code: Code, opcode: u32, comparison: usize): usize {
  const instruction = instructionOf(opcode)
  const operands = operandsOf(opcode)
  if (instruction == ZERO) {
    const condition = popSymbol()
    if (isResultOf(comparison, condition)) {
      store<u16>(comparison, load<u16>(comparison) ^ 1)
      pushSymbol(condition)
      return comparison
    }
    pushSymbol(condition)
  }
  const x = operands > 0 ? operandOf(popSymbol(), code) : 0
  const y = operands > 1 ? operandOf(popSymbol(), code) : 0
  const z = operands > 2 ? operandOf(popSymbol(), code) : 0
  if (operands != 0 && isFixed(x) && isFixed(y)) {
    const word = evaluate(instruction, x >> 1, y >> 1)
    if (word != 0) {
      pushSymbol(constantAt(word))
      return 0
    }
  }
  const to = hasResult(opcode) ? freePlace() : 0
  const isTurned = opcode == op.GT || opcode == op.SGT
  const emitted = emit(instruction, to >> 1)
  store<i32>(emitted, isTurned ? y : x, 4)
  store<i32>(emitted, isTurned ? x : y, 8)
  store<i32>(emitted, z, 12)
  if (to != 0) pushSymbol(to)
  return isComparison(instruction) ? emitted : 0
}
