import { type HardforkName, isSince } from '../spec/rules.ts'

/** Geth's names of consecutive opcodes, from the given one on. */
const RUNS: readonly (readonly [first: number, names: string])[] = [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY'],
  [0x3a, 'GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'],
  [0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE'],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0'],
  [0xa0, 'LOG0 LOG1 LOG2 LOG3 LOG4'],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xfd, 'REVERT INVALID SELFDESTRUCT'],
]

const NAMES: ReadonlyMap<number, string> = new Map([
  ...RUNS.flatMap(([first, names]) => names.split(' ').map((name, i) => [first + i, name] as const)),
  ...Array.from({ length: 32 }, (_, i) => [0x60 + i, `PUSH${i + 1}`] as const),
  ...Array.from({ length: 16 }, (_, i) => [0x80 + i, `DUP${i + 1}`] as const),
  ...Array.from({ length: 16 }, (_, i) => [0x90 + i, `SWAP${i + 1}`] as const),
])

const CLZ = 0x1e

/** Geth's name of the opcode under the rules of the hardfork. */
export function opcodeName(opcode: number, hardfork: HardforkName): string {
  const name = opcode === CLZ && !isSince(hardfork, 'Osaka') ? undefined : NAMES.get(opcode)
  return name ?? undefinedOpcode(opcode)
}

/** Geth's text for an opcode without a name. */
export function undefinedOpcode(opcode: number): string {
  return `opcode 0x${opcode.toString(16)} not defined`
}
