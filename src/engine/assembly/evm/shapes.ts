/** What becomes of each opcode when code is translated. */
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
} from './environment.ts'
import {
  ADD,
  ADDMOD,
  ADDRESS,
  AND,
  BYTE,
  CALLDATALOAD,
  CALLDATASIZE,
  CALLER,
  CALLVALUE,
  DIV,
  EQUAL,
  KECCAK256,
  LESS,
  MLOAD,
  MOD,
  MSIZE,
  MSTORE,
  MSTORE8,
  MUL,
  MULMOD,
  NOT,
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
} from './instruction.ts'
import { setSmall } from './word.ts'

/** The words 0 to 255. */
export const SMALL_WORDS: usize = memory.data(256 * 32, 8)

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
export function startShapes(): void {
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

/** The instruction that does what a step does; {@link BLOCK} where none does. */
export function instructionOf(opcode: u32): u32 {
  return load<u8>(SHAPES + ((opcode as usize) << 2))
}

export function operandsOf(opcode: u32): u32 {
  return load<u8>(SHAPES + ((opcode as usize) << 2), 1)
}

export function hasResult(opcode: u32): bool {
  return load<u8>(SHAPES + ((opcode as usize) << 2), 2) != 0
}

/** The address of the word that a step pushes and nothing else; 0 of other steps. */
export function wordPushedBy(opcode: u32): usize {
  return load<u32>(WORDS + ((opcode as usize) << 2)) as usize
}
