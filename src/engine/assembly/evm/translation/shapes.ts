/** The translation of each opcode. */

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
} from '../code/instruction.ts'
import * as op from '../rules/opcodes.ts'
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
} from '../state/environment.ts'
import { setSmall } from '../words/word.ts'

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
  shape(op.ADD, ADD, 2, 1)
  shape(op.MUL, MUL, 2, 1)
  shape(op.SUB, SUB, 2, 1)
  shape(op.DIV, DIV, 2, 1)
  shape(op.SDIV, SDIV, 2, 1)
  shape(op.MOD, MOD, 2, 1)
  shape(op.SMOD, SMOD, 2, 1)
  shape(op.ADDMOD, ADDMOD, 3, 1)
  shape(op.MULMOD, MULMOD, 3, 1)
  shape(op.SIGNEXTEND, SIGNEXTEND, 2, 1)
  // LT and GT, SLT and SGT: with the operands exchanged.
  shape(op.LT, LESS, 2, 1)
  shape(op.GT, LESS, 2, 1)
  shape(op.SLT, SIGNED_LESS, 2, 1)
  shape(op.SGT, SIGNED_LESS, 2, 1)
  shape(op.EQ, EQUAL, 2, 1)
  shape(op.ISZERO, ZERO, 1, 1)
  shape(op.AND, AND, 2, 1)
  shape(op.OR, OR, 2, 1)
  shape(op.XOR, XOR, 2, 1)
  shape(op.NOT, NOT, 1, 1)
  shape(op.BYTE, BYTE, 2, 1)
  shape(op.SHL, SHL, 2, 1)
  shape(op.SHR, SHR, 2, 1)
  shape(op.SAR, SAR, 2, 1)
  shape(op.KECCAK256, KECCAK256, 2, 1)
  shape(op.ADDRESS, ADDRESS, 0, 1)
  shape(op.CALLER, CALLER, 0, 1)
  shape(op.CALLVALUE, CALLVALUE, 0, 1)
  shape(op.CALLDATALOAD, CALLDATALOAD, 1, 1)
  shape(op.CALLDATASIZE, CALLDATASIZE, 0, 1)
  shape(op.RETURNDATASIZE, RETURNDATASIZE, 0, 1)
  shape(op.MLOAD, MLOAD, 1, 1)
  shape(op.MSTORE, MSTORE, 2, 0)
  shape(op.MSTORE8, MSTORE8, 2, 0)
  shape(op.MSIZE, MSIZE, 0, 1)
  wordOf(op.ORIGIN, ORIGIN)
  wordOf(op.GASPRICE, GAS_PRICE)
  wordOf(op.COINBASE, COINBASE)
  wordOf(op.TIMESTAMP, TIMESTAMP)
  wordOf(op.NUMBER, NUMBER)
  wordOf(op.PREVRANDAO, PREVRANDAO)
  wordOf(op.GASLIMIT, GAS_LIMIT)
  wordOf(op.CHAINID, CHAIN_ID)
  wordOf(op.BASEFEE, BASE_FEE)
  wordOf(op.BLOBBASEFEE, BLOB_BASE_FEE)
  wordOf(op.PUSH0, SMALL_WORDS)
  for (let opcode: usize = 0; opcode < 256; opcode++) {
    const isTranslated = load<u8>(SHAPES + (opcode << 2)) != 0 || load<u32>(WORDS + (opcode << 2)) != 0
    // POP, JUMPDEST and PUSH1 to SWAP16 only change the symbols.
    const isSymbolic = opcode == op.POP || opcode == op.JUMPDEST || (opcode >= op.PUSH1 && opcode <= op.SWAP16)
    store<u8>(SHAPES + (opcode << 2), (!isTranslated && !isSymbolic) as u8, 3)
  }
}

/** Whether a block ends with such a step, or before it, and another may begin after it. */
export function endsBlock(opcode: u32): bool {
  return load<u8>(SHAPES + ((opcode as usize) << 2), 3) != 0
}

/** The instruction for a step; {@link BLOCK} if there is none. */
export function instructionOf(opcode: u32): u32 {
  return load<u8>(SHAPES + ((opcode as usize) << 2))
}

export function operandsOf(opcode: u32): u32 {
  return load<u8>(SHAPES + ((opcode as usize) << 2), 1)
}

export function hasResult(opcode: u32): bool {
  return load<u8>(SHAPES + ((opcode as usize) << 2), 2) != 0
}

/** The address of the word that a step only pushes; 0 for other steps. */
export function wordPushedBy(opcode: u32): usize {
  return load<u32>(WORDS + ((opcode as usize) << 2)) as usize
}
