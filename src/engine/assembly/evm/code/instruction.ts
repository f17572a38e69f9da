/**
 * The instructions that a contract's code is translated into. They name their operands, so most of the stack shuffling
 * in the code disappears. They follow one another in blocks; gas and stack limits are checked
 * once per block.
 *
 * An instruction has 16 bytes; {@link JUMP_IF_NONZERO} and the following ones have 32: the kind (2), then the fields listed
 * with each. Stack places are byte offsets upwards from the top at the start of the block; the top moves only at its end.
 */

/**
 * Begins a block: bytes by which the stack grows (2), offset in the code (4), gas (2), place of its function in the table if
 * it is {@link COMPILED} (2), bytes that must be on the stack (2), how often it has run, modulo 2^16 (2).
 */
export const BLOCK: u32 = 0
/** Ends a block: bytes by which the top has moved (2), offset of the step that the interpreter must handle (4). */
export const LEAVE: u32 = 1
/** Ends a block: bytes by which the top has moved (2), target offset (4), the block there or 0 (4). */
export const GO: u32 = 2
/** Ends a block: bytes by which the top has moved (2), operand with the target offset (4), its own offset (4). */
export const JUMP: u32 = 3
/**
 * Ends a block: bytes by which the top has moved (2), two operands (4, 4), target offset if the condition holds (4),
 * the block there or 0 (4). Otherwise the next block follows. Each is followed by its opposite.
 */
export const JUMP_IF_NONZERO: u32 = 4
export const JUMP_IF_ZERO: u32 = 5
export const JUMP_IF_LESS: u32 = 6
export const JUMP_IF_NOT_LESS: u32 = 7
export const JUMP_IF_SIGNED_LESS: u32 = 8
export const JUMP_IF_NOT_SIGNED_LESS: u32 = 9
export const JUMP_IF_EQUAL: u32 = 10
export const JUMP_IF_NOT_EQUAL: u32 = 11

/** Place of the result (2), up to three operands (4 each). The first are comparisons, in the order of the jumps. */
export const NONZERO: u32 = 12
export const ZERO: u32 = 13
export const LESS: u32 = 14
export const NOT_LESS: u32 = 15
export const SIGNED_LESS: u32 = 16
export const NOT_SIGNED_LESS: u32 = 17
export const EQUAL: u32 = 18
export const NOT_EQUAL: u32 = 19
export const MOVE: u32 = 20
export const EXCHANGE: u32 = 21
export const ADD: u32 = 22
export const MUL: u32 = 23
export const SUB: u32 = 24
export const DIV: u32 = 25
export const SDIV: u32 = 26
export const MOD: u32 = 27
export const SMOD: u32 = 28
export const ADDMOD: u32 = 29
export const MULMOD: u32 = 30
export const SIGNEXTEND: u32 = 31
export const AND: u32 = 32
export const OR: u32 = 33
export const XOR: u32 = 34
export const NOT: u32 = 35
export const BYTE: u32 = 36
export const SHL: u32 = 37
export const SHR: u32 = 38
export const SAR: u32 = 39
export const KECCAK256: u32 = 40
export const ADDRESS: u32 = 41
export const CALLER: u32 = 42
export const CALLVALUE: u32 = 43
export const CALLDATALOAD: u32 = 44
export const CALLDATASIZE: u32 = 45
export const RETURNDATASIZE: u32 = 46
export const MSIZE: u32 = 47
export const MLOAD: u32 = 48
/** Without a result. */
export const MSTORE: u32 = 49
export const MSTORE8: u32 = 50
/** A {@link BLOCK} that the host has compiled. */
export const COMPILED: u32 = 51

export const INSTRUCTION_BYTES: usize = 16
export const BRANCH_BYTES: usize = 32

/** Distance from a comparison to its conditional jump. */
export const JUMPS_FROM_COMPARISONS: u32 = NONZERO - JUMP_IF_NONZERO

/** Whether it is a comparison; its opposite is next to it. */
export function isComparison(instruction: u32): bool {
  return instruction >= NONZERO && instruction <= NOT_EQUAL
}

/**
 * An operand: a place on the stack, or the address of a constant word. The lowest bit tells which
 * it is.
 */
// @inline
export function onStack(place: i32): i32 {
  return (place << 1) | 1
}

// @inline
export function constantAt(address: usize): i32 {
  return (address as i32) << 1
}

// @inline
export function isOnStack(operand: i32): bool {
  return (operand & 1) != 0
}

/** Address of the word. */
// @inline
export function addressOf(operand: i32, sp: usize): usize {
  return ((operand >> 1) as usize) + (sp & (-(operand & 1) as usize))
}
