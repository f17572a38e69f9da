/** Gas schedule, and the table of what each opcode takes before it is looked at more closely. */
import { fork, OSAKA } from './fork.ts'

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

/** To be called for each fork. Opcodes that are not named take nothing, and end the frame. */
export function startGasTable(): void {
  step(0x01, 3, 2, 1) // ADD
  step(0x02, 5, 2, 1) // MUL
  step(0x03, 3, 2, 1) // SUB
  steps(0x04, 0x07, 5, 2, 1) // DIV, SDIV, MOD, SMOD
  steps(0x08, 0x09, 8, 3, 1) // ADDMOD, MULMOD
  step(0x0a, 10, 2, 1) // EXP
  step(0x0b, 5, 2, 1) // SIGNEXTEND
  steps(0x10, 0x14, 3, 2, 1) // LT, GT, SLT, SGT, EQ
  step(0x15, 3, 1, 1) // ISZERO
  steps(0x16, 0x18, 3, 2, 1) // AND, OR, XOR
  step(0x19, 3, 1, 1) // NOT
  steps(0x1a, 0x1d, 3, 2, 1) // BYTE, SHL, SHR, SAR
  // CLZ, or what is not defined (EIP-7939)
  if (fork >= OSAKA) step(0x1e, 5, 1, 1)
  else step(0x1e, 0, 0, 0)
  step(0x20, 30, 2, 1) // KECCAK256
  step(0x30, 2, 0, 1) // ADDRESS
  step(0x31, 0, 1, 1) // BALANCE
  steps(0x32, 0x34, 2, 0, 1) // ORIGIN, CALLER, CALLVALUE
  step(0x35, 3, 1, 1) // CALLDATALOAD
  step(0x36, 2, 0, 1) // CALLDATASIZE
  step(0x37, 3, 3, 0) // CALLDATACOPY
  step(0x38, 2, 0, 1) // CODESIZE
  step(0x39, 3, 3, 0) // CODECOPY
  step(0x3a, 2, 0, 1) // GASPRICE
  step(0x3b, 0, 1, 1) // EXTCODESIZE
  step(0x3c, 0, 4, 0) // EXTCODECOPY
  step(0x3d, 2, 0, 1) // RETURNDATASIZE
  step(0x3e, 3, 3, 0) // RETURNDATACOPY
  step(0x3f, 0, 1, 1) // EXTCODEHASH
  step(0x40, 20, 1, 1) // BLOCKHASH
  steps(0x41, 0x46, 2, 0, 1) // COINBASE, TIMESTAMP, NUMBER, PREVRANDAO, GASLIMIT, CHAINID
  step(0x47, 5, 0, 1) // SELFBALANCE
  step(0x48, 2, 0, 1) // BASEFEE
  step(0x49, 3, 1, 1) // BLOBHASH
  step(0x4a, 2, 0, 1) // BLOBBASEFEE
  step(0x50, 2, 1, 0) // POP
  step(0x51, 3, 1, 1) // MLOAD
  steps(0x52, 0x53, 3, 2, 0) // MSTORE, MSTORE8
  step(0x54, 0, 1, 1) // SLOAD
  step(0x55, 0, 2, 0) // SSTORE
  step(0x56, 8, 1, 0) // JUMP
  step(0x57, 10, 2, 0) // JUMPI
  steps(0x58, 0x5a, 2, 0, 1) // PC, MSIZE, GAS
  step(0x5b, 1, 0, 0) // JUMPDEST
  step(0x5c, 100, 1, 1) // TLOAD
  step(0x5d, 100, 2, 0) // TSTORE
  step(0x5e, 3, 3, 0) // MCOPY
  step(0x5f, 2, 0, 1) // PUSH0
  steps(0x60, 0x7f, 3, 0, 1) // PUSH1 …
  for (let n: u16 = 0; n < 16; n++) {
    step(0x80 + n, 3, n + 1, n + 2) // DUP1 …
    step(0x90 + n, 3, n + 2, n + 2) // SWAP1 …
  }
  for (let topics: u16 = 0; topics < 5; topics++) {
    step(0xa0 + topics, 375 * (topics + 1), topics + 2, 0) // LOG0 …
  }
  step(0xf0, 32000, 3, 1) // CREATE
  steps(0xf1, 0xf2, 0, 7, 1) // CALL, CALLCODE
  step(0xf3, 0, 2, 0) // RETURN
  step(0xf4, 0, 6, 1) // DELEGATECALL
  step(0xf5, 32000, 4, 1) // CREATE2
  step(0xfa, 0, 6, 1) // STATICCALL
  step(0xfd, 0, 2, 0) // REVERT
  step(0xff, 5000, 1, 0) // SELFDESTRUCT
}
