import { type Address, bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'

/** Consecutive opcode names from a code on; `-` for an undefined one. */
const NAMES: readonly (readonly [first: number, names: string])[] = [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY'],
  [0x38, 'CODESIZE CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'],
  [0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE'],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0'],
  [0xa0, 'LOG0 LOG1 LOG2 LOG3 LOG4'],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2 - - - - STATICCALL - - REVERT INVALID SELFDESTRUCT'],
]

const PUSH1 = 0x60
const PUSH32 = 0x7f
const DUP1 = 0x80
const SWAP1 = 0x90
const SWAP16 = 0x9f

const OPCODES: ReadonlyMap<number, string> = new Map(
  NAMES.flatMap(([first, names]) =>
    names
      .split(' ')
      .map((name, i) => [first + i, name] as const)
      .filter(([, name]) => name !== '-'),
  ),
)

/** The name of an opcode at the Osaka fork; `undefined` if it is not defined. */
export function opcodeName(code: number): string | undefined {
  if (code >= PUSH1 && code <= PUSH32) return `PUSH${code - PUSH1 + 1}`
  if (code >= DUP1 && code < SWAP1) return `DUP${code - DUP1 + 1}`
  if (code >= SWAP1 && code <= SWAP16) return `SWAP${code - SWAP1 + 1}`
  return OPCODES.get(code)
}

/** Number of bytes that an instruction pushes. */
export function pushSize(code: number): number {
  return code >= PUSH1 && code <= PUSH32 ? code - PUSH1 + 1 : 0
}

/** One instruction of code. */
export interface Instruction {
  /** Position of its first byte. */
  readonly at: number
  /** Name of the opcode, such as `PUSH2`; `undefined` for an undefined opcode. */
  readonly name: string | undefined
  readonly code: number
  /** The bytes of a PUSH. At the end of the code they may be cut short; the rest counts as zeros. */
  readonly pushed: Hex | undefined
}

/** Disassembles code from start to end; data in it is read as instructions, too. */
export function disassemble(code: Hex): readonly Instruction[] {
  const bytes = hexToBytes(code)
  const instructions: Instruction[] = []
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number
    const size = pushSize(byte)
    const pushed = size > 0 ? bytesToHex(bytes.subarray(at + 1, at + 1 + size)) : undefined
    instructions.push({ at, name: opcodeName(byte), code: byte, pushed })
    at += 1 + size
  }
  return instructions
}

/** EIP-7702: `0xef0100` and an address, whose code runs instead of the account's. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/

/** The address to which an account delegates; `undefined` if it does not. */
export function delegationOf(code: Hex): Address | undefined {
  const digits = DELEGATION.exec(code.toLowerCase())?.[1]
  return digits === undefined ? undefined : `0x${digits}`
}
