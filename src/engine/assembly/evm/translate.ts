/** Translates code from a place on into blocks of instructions: see `instruction.ts`. */
import { add, sub } from './arithmetic.ts'
import { and, not, or, shl, shr } from './bits.ts'
import { blockOf, Code, isJumpDestination, markBlock, markUseless } from './code.ts'
import {
  BASE_FEE,
  BLOB_BASE_FEE,
  CHAIN_ID,
  COINBASE,
  ENVIRONMENT,
  ENVIRONMENT_BYTES,
  GAS_LIMIT,
  GAS_PRICE,
  NUMBER,
  ORIGIN,
  PREVRANDAO,
  TIMESTAMP,
} from './environment.ts'
import { STEPS } from './gas.ts'
import {
  ADD,
  ADDMOD,
  ADDRESS,
  AND,
  BLOCK,
  BRANCH_BYTES,
  BYTE,
  CALLDATALOAD,
  CALLDATASIZE,
  CALLER,
  CALLVALUE,
  constantAt,
  DIV,
  EQUAL,
  EXCHANGE,
  GO,
  INSTRUCTION_BYTES,
  isComparison,
  isOnStack,
  JUMP,
  JUMP_IF_NONZERO,
  JUMPS_FROM_COMPARISONS,
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
  NOT,
  OR,
  onStack,
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
} from './instruction.ts'
import { keptRoom, nextKept, takeKept, takeKeptWord } from './kept.ts'
import { pushBytes } from './steps.ts'
import {
  exchangePlaces,
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
  placeOf,
  popSymbol,
  pushSymbol,
  setSymbol,
  startSymbols,
  symbolAt,
} from './symbols.ts'
import { setSmall } from './word.ts'

/** Steps that a block has at the most, and what it takes of the memory then, its words included. */
const MOST_STEPS: u32 = 256
const MOST_BYTES: usize = 32_768
/** Steps that are not worth entering a block for. */
const FEW_STEPS: u32 = 2

/** The words 0 to 255. */
const SMALL_WORDS: usize = memory.data(256 * 32, 8)

/** For each opcode: the instruction, the operands it takes, the results it has, whether a block ends with it (1 byte each). */
const SHAPES: usize = memory.data(256 * 4, 8)
/** For each opcode that only pushes a word of the environment, where that is. */
const WORDS: usize = memory.data(256 * 4, 8)

function shape(opcode: usize, instruction: u32, operands: u8, results: u8): void {
  store<u8>(SHAPES + (opcode << 2), instruction as u8)
  store<u8>(SHAPES + (opcode << 2), operands, 1)
  store<u8>(SHAPES + (opcode << 2), results, 2)
}

function wordOf(opcode: usize, address: usize): void {
  store<u32>(WORDS + (opcode << 2), address as u32)
}

/** To be called once. */
export function startTranslating(): void {
  for (let i: usize = 0; i < 256; i++) setSmall(SMALL_WORDS + i * 32, i as u64)
  shape(0x01, ADD, 2, 1)
  shape(0x02, MUL, 2, 1)
  shape(0x03, SUB, 2, 1)
  shape(0x04, DIV, 2, 1)
  shape(0x05, SDIV, 2, 1)
  shape(0x06, MOD, 2, 1)
  shape(0x07, SMOD, 2, 1)
  shape(0x08, ADDMOD, 3, 1)
  shape(0x09, MULMOD, 3, 1)
  shape(0x0b, SIGNEXTEND, 2, 1)
  // LT and GT, SLT and SGT: with the operands exchanged.
  shape(0x10, LESS, 2, 1)
  shape(0x11, LESS, 2, 1)
  shape(0x12, SIGNED_LESS, 2, 1)
  shape(0x13, SIGNED_LESS, 2, 1)
  shape(0x14, EQUAL, 2, 1)
  shape(0x15, ZERO, 1, 1)
  shape(0x16, AND, 2, 1)
  shape(0x17, OR, 2, 1)
  shape(0x18, XOR, 2, 1)
  shape(0x19, NOT, 1, 1)
  shape(0x1a, BYTE, 2, 1)
  shape(0x1b, SHL, 2, 1)
  shape(0x1c, SHR, 2, 1)
  shape(0x1d, SAR, 2, 1)
  shape(0x20, KECCAK256, 2, 1)
  shape(0x30, ADDRESS, 0, 1)
  shape(0x33, CALLER, 0, 1)
  shape(0x34, CALLVALUE, 0, 1)
  shape(0x35, CALLDATALOAD, 1, 1)
  shape(0x36, CALLDATASIZE, 0, 1)
  shape(0x3d, RETURNDATASIZE, 0, 1)
  shape(0x51, MLOAD, 1, 1)
  shape(0x52, MSTORE, 2, 0)
  shape(0x53, MSTORE8, 2, 0)
  shape(0x59, MSIZE, 0, 1)
  wordOf(0x32, ORIGIN)
  wordOf(0x3a, GAS_PRICE)
  wordOf(0x41, COINBASE)
  wordOf(0x42, TIMESTAMP)
  wordOf(0x43, NUMBER)
  wordOf(0x44, PREVRANDAO)
  wordOf(0x45, GAS_LIMIT)
  wordOf(0x46, CHAIN_ID)
  wordOf(0x48, BASE_FEE)
  wordOf(0x4a, BLOB_BASE_FEE)
  wordOf(0x5f, SMALL_WORDS)
  for (let opcode: usize = 0; opcode < 256; opcode++) {
    const isTranslated = load<u8>(SHAPES + (opcode << 2)) != 0 || load<u32>(WORDS + (opcode << 2)) != 0
    // POP, JUMPDEST, PUSH1 and on up to SWAP16: only the symbols know of them.
    const isSymbolic = opcode == 0x50 || opcode == 0x5b || (opcode >= 0x60 && opcode <= 0x9f)
    store<u8>(SHAPES + (opcode << 2), (!isTranslated && !isSymbolic) as u8, 3)
  }
}

/** Whether a block ends with such a step, or before it, and another may begin after it. */
export function endsBlock(opcode: u32): bool {
  return load<u8>(SHAPES + ((opcode as usize) << 2), 3) != 0
}

/** Where the next instruction goes. */
let end: usize = 0

/** @returns The address of the instruction. */
function emit(instruction: u32, place: i32, size: usize = INSTRUCTION_BYTES): usize {
  const at = end
  store<u16>(at, instruction as u16)
  store<i16>(at, place as i16, 2)
  end += size
  return at
}

/** An operand that an instruction can have: a number in the code becomes a word. */
function operandOf(symbol: i32, code: Code): i32 {
  if (!isLiteral(symbol)) return symbol
  const push = code.start + (offsetOfLiteral(symbol) as usize)
  const size = (load<u8>(push) - 0x5f) as usize
  if (size == 1) return constantAt(SMALL_WORDS + ((load<u8>(push, 1) as usize) << 5))
  const word = takeKeptWord()
  pushBytes(word, push + 1, size)
  return constantAt(word)
}

/** Goes on with the block at an offset. @returns The address of the instruction. */
function emitGo(code: Code, offset: u32, moved: i32): usize {
  const at = emit(GO, moved)
  store<u32>(at, offset, 4)
  store<u32>(at, blockOf(code, offset) as u32, 8)
  return at
}

/**
 * Translates from an offset up to the first step from which nothing follows, or which something else must do.
 *
 * @returns The address of the first block; 0 if it would do next to nothing, or there is no room.
 */
export function translate(code: Code, offset: u32): usize {
  const first = nextKept()
  end = first
  let next: u32 = offset
  while (true) {
    if (keptRoom() < MOST_BYTES + (end - first)) {
      if (end == first) return 0
      emitGo(code, next, 0)
      break
    }
    const begin = end
    const isOpen = translateBlock(code, next)
    if (end == begin) {
      markUseless(code, next)
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

/** Where {@link translateBlock} has stopped. */
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
  // A hash may take long: the next block looks whether it is time to pause.
  let hasHashed = false
  while (true) {
    const opcode = load<u8>(code.start + (pc as usize)) as u32
    const cost = load<u32>(STEPS + ((opcode as usize) << 3))
    const isNewBlock = (opcode == 0x5b && pc != offset) || hasHashed || steps == MOST_STEPS || isNearReach()
    if (isNewBlock) {
      settle(code)
      // The block there follows at once, unless it was translated before.
      isOpen = blockOf(code, pc) == 0
      const go = emitGo(code, pc, -32 * height)
      if (isOpen) store<u32>(go, end as u32, 8)
      break
    }
    if (opcode == 0x56 && jump(code, pc)) {
      gas += cost
      break
    }
    if (opcode == 0x57 && jumpIf(code, comparison)) {
      gas += cost
      pc++
      isOpen = blockOf(code, pc) == 0
      if (!isOpen) emitGo(code, pc, 0)
      break
    }
    if (endsBlock(opcode)) {
      if (steps <= FEW_STEPS) {
        end = begin
        return false
      }
      settle(code)
      store<u32>(emit(LEAVE, -32 * height), pc, 4)
      break
    }
    gas += cost
    steps++
    hasHashed = opcode == 0x20
    comparison = translateStep(code, opcode, pc, comparison)
    pc += opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5e : 1
  }
  store<u16>(begin, (32 * highest) as u16, 2)
  store<u32>(begin, offset, 4)
  store<u32>(begin, gas, 8)
  store<u16>(begin, (-32 * lowest) as u16, 12)
  stopped = pc
  return isOpen
}

/** JUMP. @returns Whether it is done; one to a place that nothing may jump to is not. */
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

/** JUMPI to a place that stands in the code. @returns Whether it is done. */
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
    end = comparison
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

/** Where a literal says to jump to, if that may be. */
function destinationOf(code: Code, literal: i32): u32 {
  const push = code.start + (offsetOfLiteral(literal) as usize)
  pushBytes(TARGET, push + 1, (load<u8>(push) - 0x5f) as usize)
  return isJumpDestination(code, TARGET) ? (load<u32>(TARGET) as u32) : NOWHERE
}

const TARGET: usize = memory.data(32, 8)

/** A step within a block. @returns The newest instruction, if it compares. */
function translateStep(code: Code, opcode: u32, offset: u32, comparison: usize): usize {
  if (opcode >= 0x60 && opcode <= 0x7f) {
    pushSymbol(literalAt(offset))
  } else if (opcode >= 0x80 && opcode <= 0x8f) {
    pushSymbol(symbolAt(height + 0x7f - (opcode as i32)))
  } else if (opcode >= 0x90) {
    const below = height + 0x8e - (opcode as i32)
    const symbol = symbolAt(below)
    setSymbol(below, symbolAt(height - 1))
    setSymbol(height - 1, symbol)
  } else if (opcode == 0x50) {
    popSymbol()
  } else if (opcode != 0x5b) {
    const word = load<u32>(WORDS + ((opcode as usize) << 2)) as usize
    if (word == 0) return compute(code, opcode, comparison)
    pushSymbol(constantAt(word))
  }
  return comparison
}

/** @returns As {@link translateStep}. */
function compute(code: Code, opcode: u32, comparison: usize): usize {
  const at = SHAPES + ((opcode as usize) << 2)
  const instruction = load<u8>(at) as u32
  const operands = load<u8>(at, 1)
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
  const hasResult = load<u8>(at, 2) != 0
  const to = hasResult ? freePlace() : 0
  const isTurned = opcode == 0x11 || opcode == 0x13
  const emitted = emit(instruction, to >> 1)
  store<i32>(emitted, isTurned ? y : x, 4)
  store<i32>(emitted, isTurned ? x : y, 8)
  store<i32>(emitted, z, 12)
  if (hasResult) pushSymbol(to)
  return isComparison(instruction) ? emitted : 0
}

/** Whether the word is always the same; those of the environment are not. */
function isFixed(operand: i32): bool {
  const address = (operand >> 1) as usize
  return !isOnStack(operand) && (address < ENVIRONMENT || address >= ENVIRONMENT + ENVIRONMENT_BYTES)
}

/** What compilers leave to be computed, mostly masks. @returns The word; 0 where it is left to the instruction. */
function evaluate(instruction: u32, x: usize, y: usize): usize {
  switch (instruction) {
    case ADD:
    case SUB:
    case AND:
    case OR:
    case NOT:
    case SHL:
    case SHR:
      break
    default:
      return 0
  }
  const to = takeKeptWord()
  if (instruction == ADD) add(to, x, y)
  else if (instruction == SUB) sub(to, x, y)
  else if (instruction == AND) and(to, x, y)
  else if (instruction == OR) or(to, x, y)
  else if (instruction == NOT) not(to, x)
  else if (instruction == SHL) shl(to, x, y)
  else shr(to, x, y)
  return to
}

/** Brings every word to its place on the stack. */
function settle(code: Code): void {
  while (true) {
    let blocked = i32.MAX_VALUE
    let hasMoved = false
    for (let i = lowest; i < height; i++) {
      const place = placeOf(i)
      const symbol = symbolAt(i)
      if (symbol == place) continue
      if (isNeeded(place)) {
        blocked = i
        continue
      }
      emitMove(MOVE, place, operandOf(symbol, code))
      setSymbol(i, place)
      hasMoved = true
    }
    if (blocked == i32.MAX_VALUE) return
    if (!hasMoved) untangle(blocked)
  }
}

/** Makes way where each word is in a place that another must leave first. */
function untangle(position: i32): void {
  const place = placeOf(position)
  const symbol = symbolAt(position)
  if (isOnStack(symbol) && waitsFor(symbol, place)) {
    emitMove(EXCHANGE, place, symbol)
    exchangePlaces(place, symbol)
  } else {
    const other = freePlace()
    emitMove(MOVE, other, place)
    exchangePlaces(place, other)
  }
}

/** Whether a place is that of a position whose word is in another. */
function waitsFor(place: i32, awaited: i32): bool {
  for (let i = lowest; i < height; i++) if (placeOf(i) == place) return symbolAt(i) == awaited
  return false
}

function emitMove(instruction: u32, place: i32, operand: i32): void {
  store<i32>(emit(instruction, place >> 1), operand, 4)
}
