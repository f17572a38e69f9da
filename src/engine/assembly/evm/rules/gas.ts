/** Gas schedule, and the table of each opcode's static gas and stack use. */
import { hardfork, OSAKA } from './hardfork.ts'
import * as op from './opcodes.ts'

export const COLD_ACCOUNT_GAS: i64 = 2600
export const COLD_SLOT_GAS: i64 = 2100
export const WARM_GAS: i64 = 100
export const SLOT_SET_GAS: i64 = 20000
export const SLOT_RESET_GAS: i64 = 2900
export const SLOT_CLEAR_REFUND: i64 = 4800
/** Gas that must be left for SSTORE (EIP-2200). */
export const SENTRY_GAS: i64 = 2300
export const CALL_VALUE_GAS: i64 = 9000
export const CALL_STIPEND: i64 = 2300
export const NEW_ACCOUNT_GAS: i64 = 25000
export const CODE_BYTE_GAS: i64 = 200
export const EXP_BYTE_GAS: i64 = 50
export const LOG_BYTE_GAS: i64 = 8
export const SHA256_GAS: i64 = 60
export const SHA256_WORD_GAS: u64 = 12
export const RIPEMD160_GAS: i64 = 600
export const RIPEMD160_WORD_GAS: u64 = 120
export const IDENTITY_GAS: i64 = 15
export const IDENTITY_WORD_GAS: u64 = 3
export const COPY_WORD_GAS: u64 = 3
export const KECCAK_WORD_GAS: u64 = 6
export const INITCODE_WORD_GAS: u64 = 2

/** For each opcode: gas (4 bytes), bytes that must be on the stack (2), bytes by which it may grow (2). */
export const STEPS: usize = memory.data(256 * 8, 8)

function step(opcode: u32, gas: u32, takes: u16, leaves: u16): void {
  const at = STEPS + ((opcode as usize) << 3)
  store<u32>(at, gas)
  store<u16>(at, takes * 32, 4)
  store<u16>(at, leaves > takes ? (leaves - takes) * 32 : 0, 6)
}

function steps(first: u32, last: u32, gas: u32, takes: u16, leaves: u16): void {
  for (let opcode = first; opcode <= last; opcode++) step(opcode, gas, takes, leaves)
}

/** Call it for each hardfork. Opcodes not listed cost nothing and end the frame. */
export function startGasTable(): void {
  step(op.ADD, 3, 2, 1)
  step(op.MUL, 5, 2, 1)
  step(op.SUB, 3, 2, 1)
  steps(op.DIV, op.SMOD, 5, 2, 1) // and SDIV, MOD
  steps(op.ADDMOD, op.MULMOD, 8, 3, 1)
  step(op.EXP, 10, 2, 1)
  step(op.SIGNEXTEND, 5, 2, 1)
  steps(op.LT, op.EQ, 3, 2, 1) // and GT, SLT, SGT
  step(op.ISZERO, 3, 1, 1)
  steps(op.AND, op.XOR, 3, 2, 1) // and OR
  step(op.NOT, 3, 1, 1)
  steps(op.BYTE, op.SAR, 3, 2, 1) // and SHL, SHR
  // CLZ (EIP-7939), or undefined
  if (hardfork >= OSAKA) step(op.CLZ, 5, 1, 1)
  else step(op.CLZ, 0, 0, 0)
  step(op.KECCAK256, 30, 2, 1)
  step(op.ADDRESS, 2, 0, 1)
  step(op.BALANCE, 0, 1, 1)
  steps(op.ORIGIN, op.CALLVALUE, 2, 0, 1) // and CALLER
  step(op.CALLDATALOAD, 3, 1, 1)
  step(op.CALLDATASIZE, 2, 0, 1)
  step(op.CALLDATACOPY, 3, 3, 0)
  step(op.CODESIZE, 2, 0, 1)
  step(op.CODECOPY, 3, 3, 0)
  step(op.GASPRICE, 2, 0, 1)
  step(op.EXTCODESIZE, 0, 1, 1)
  step(op.EXTCODECOPY, 0, 4, 0)
  step(op.RETURNDATASIZE, 2, 0, 1)
  step(op.RETURNDATACOPY, 3, 3, 0)
  step(op.EXTCODEHASH, 0, 1, 1)
  step(op.BLOCKHASH, 20, 1, 1)
  steps(op.COINBASE, op.CHAINID, 2, 0, 1) // and TIMESTAMP, NUMBER, PREVRANDAO, GASLIMIT
  step(op.SELFBALANCE, 5, 0, 1)
  step(op.BASEFEE, 2, 0, 1)
  step(op.BLOBHASH, 3, 1, 1)
  step(op.BLOBBASEFEE, 2, 0, 1)
  step(op.POP, 2, 1, 0)
  step(op.MLOAD, 3, 1, 1)
  steps(op.MSTORE, op.MSTORE8, 3, 2, 0)
  step(op.SLOAD, 0, 1, 1)
  step(op.SSTORE, 0, 2, 0)
  step(op.JUMP, 8, 1, 0)
  step(op.JUMPI, 10, 2, 0)
  steps(op.PC, op.GAS, 2, 0, 1) // and MSIZE
  step(op.JUMPDEST, 1, 0, 0)
  step(op.TLOAD, 100, 1, 1)
  step(op.TSTORE, 100, 2, 0)
  step(op.MCOPY, 3, 3, 0)
  step(op.PUSH0, 2, 0, 1)
  steps(op.PUSH1, op.PUSH32, 3, 0, 1)
  for (let n: u16 = 0; n < 16; n++) {
    step(op.DUP1 + n, 3, n + 1, n + 2)
    step(op.SWAP1 + n, 3, n + 2, n + 2)
  }
  for (let topics: u16 = 0; topics < 5; topics++) {
    step(op.LOG0 + topics, 375 * (topics + 1), topics + 2, 0)
  }
  step(op.CREATE, 32000, 3, 1)
  steps(op.CALL, op.CALLCODE, 0, 7, 1)
  step(op.RETURN, 0, 2, 0)
  step(op.DELEGATECALL, 0, 6, 1)
  step(op.CREATE2, 32000, 4, 1)
  step(op.STATICCALL, 0, 6, 1)
  step(op.REVERT, 0, 2, 0)
  step(op.SELFDESTRUCT, 5000, 1, 0)
}
