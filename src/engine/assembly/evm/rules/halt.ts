/** Why a frame halted early. The host has the messages (`src/node/evm/engines/wasm/failure.ts`). */
export const OUT_OF_GAS: u32 = 1
export const INVALID_OPCODE: u32 = 2
export const STACK_UNDERFLOW: u32 = 3
export const STACK_OVERFLOW: u32 = 4
export const INVALID_JUMP: u32 = 5
export const WRITE_PROTECTION: u32 = 6
export const RETURN_DATA_OUT_OF_BOUNDS: u32 = 7
export const INITCODE_TOO_LONG: u32 = 8
export const CODE_TOO_LONG: u32 = 9
export const CODE_BEGINS_WITH_EF: u32 = 10
export const CODE_DEPOSIT_OUT_OF_GAS: u32 = 11
export const ADDRESS_TAKEN: u32 = 12
export const INSUFFICIENT_BALANCE: u32 = 13
export const PRECOMPILE_FAILED: u32 = 14
export const REENTRANCY_SENTRY: u32 = 15
export const TOO_DEEP: u32 = 16

/** Why the frame that halted last did so. */
export let haltReason: u32 = 0
/** The opcode that could not be executed, and how many words were on the stack. */
export let haltOpcode: u32 = 0
export let haltHeight: u32 = 0

export function setHalt(reason: u32): void {
  haltReason = reason
}

export function setHaltStep(opcode: u32, height: u32): void {
  haltOpcode = opcode
  haltHeight = height
}
