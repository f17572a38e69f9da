import { undefinedOpcode } from './opcode-names.ts'
import type { FrameType } from './tracer.ts'

/** The opcodes that matter for tracing. */
export const OP = {
  STOP: 0x00,
  ISZERO: 0x15,
  KECCAK256: 0x20,
  BALANCE: 0x31,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  EXTCODEHASH: 0x3f,
  SLOAD: 0x54,
  SSTORE: 0x55,
  GAS: 0x5a,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  PUSH0: 0x5f,
  SWAP16: 0x9f,
  LOG0: 0xa0,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const

/** The kind of frame that an opcode starts. */
export const FRAME_TYPES: ReadonlyMap<number, FrameType> = new Map([
  [OP.CREATE, 'CREATE'],
  [OP.CALL, 'CALL'],
  [OP.CALLCODE, 'CALLCODE'],
  [OP.DELEGATECALL, 'DELEGATECALL'],
  [OP.CREATE2, 'CREATE2'],
  [OP.STATICCALL, 'STATICCALL'],
  [OP.SELFDESTRUCT, 'SELFDESTRUCT'],
])

/** The most words on a stack. */
export const STACK_LIMIT = 1024

/** How many words each opcode takes from the stack, sixteen per row; undefined opcodes take none. */
const STACK_INPUTS = [
  '0222222233220000', // STOP …
  '2222212221222210', // LT …
  '2000000000000000', // KECCAK256
  '0100010303014031', // ADDRESS …
  '1000000001000000', // BLOCKHASH …
  '1122121200001230', // POP …
  '0000000000000000', // PUSH1 …
  '0000000000000000',
  '123456789abcdefg', // DUP1 …
  '23456789abcdefgh', // SWAP1 …
  '2345600000000000', // LOG0 …
  '0000000000000000',
  '0000000000000000',
  '0000000000000000',
  '0000000000000000',
  '3772640000600201', // CREATE …
]

/** How many words the opcode takes from the stack, or reads. */
export function stackInputs(opcode: number): number {
  return Number.parseInt((STACK_INPUTS[opcode >> 4] as string)[opcode & 15] as string, 18)
}

/** Whether the opcode grows the stack by one word. */
export function growsStack(opcode: number): boolean {
  if (opcode >= 0x5f && opcode <= 0x8f) return true
  if (opcode >= 0x41 && opcode <= 0x4a) return opcode !== 0x49
  return [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x58, 0x59, 0x5a].includes(opcode)
}

/** Geth's message for an opcode that cannot be executed. */
export function invalidOpcode(opcode: number): string {
  return `invalid opcode: ${opcode === OP.INVALID ? 'INVALID' : undefinedOpcode(opcode)}`
}

/** Whether the opcode changes the state, which is forbidden in a static call. */
export function writesState(opcode: number, stack: readonly bigint[]): boolean {
  if (opcode >= OP.LOG0 && opcode <= OP.LOG4) return true
  if (opcode === OP.CALL) return (stack.at(-3) ?? 0n) > 0n
  return [OP.SSTORE, OP.TSTORE, OP.CREATE, OP.CREATE2, OP.SELFDESTRUCT].some((op) => op === opcode)
}

const MEMORY_WRITERS: ReadonlySet<number> = new Set([
  // CALLDATACOPY, CODECOPY, EXTCODECOPY, RETURNDATACOPY, MSTORE, MSTORE8, MCOPY; calls write their output.
  ...[0x37, 0x39, 0x3c, 0x3e, 0x52, 0x53, 0x5e],
  ...[OP.CALL, OP.CALLCODE, OP.DELEGATECALL, OP.STATICCALL],
])

/** Whether the opcode may change bytes of the memory, besides extending it. */
export function writesMemory(opcode: number): boolean {
  return MEMORY_WRITERS.has(opcode)
}

/** Whether the opcode reads or writes the slot on top of the stack. */
export function usesSlot(opcode: number): boolean {
  return opcode === OP.SLOAD || opcode === OP.SSTORE
}

/** Whether the opcode reads the account on top of the stack. */
export function looksAtAccount(opcode: number): boolean {
  return (
    opcode === OP.BALANCE ||
    opcode === OP.EXTCODESIZE ||
    opcode === OP.EXTCODECOPY ||
    opcode === OP.EXTCODEHASH ||
    opcode === OP.SELFDESTRUCT
  )
}

/** Whether the opcode calls the account in the second word of the stack. */
export function callsAccount(opcode: number): boolean {
  return opcode === OP.CALL || opcode === OP.CALLCODE || opcode === OP.DELEGATECALL || opcode === OP.STATICCALL
}

/** Whether the opcode reads, writes or calls an account or a slot named on the stack. */
export function usesState(opcode: number): boolean {
  return usesSlot(opcode) || looksAtAccount(opcode) || callsAccount(opcode)
}
