/** Steps outside blocks that compiled code does itself, or has the engine do: see `assembly/evm/compiled-steps.ts`. */

/** Steps that push the gas, their offset, the size of the code. */
export const GAS = 0x5a
export const PC = 0x58
export const CODESIZE = 0x38
export const GAS_OF_PUSHING = 2

/** What the engine answers if the interpreter must do a step. */
export const REFUSED = -(1n << 63n)

type Step = readonly [takes: number, leaves: boolean]

const LOG0 = 0xa0
const LOGS = [0, 1, 2, 3, 4].map((topics): [number, Step] => [LOG0 + topics, [topics + 2, false]])

/** By their opcodes: the words that they take, and whether they leave one. */
export const STEPS: ReadonlyMap<number, Step> = new Map<number, Step>([
  [0x0a, [2, true]], // EXP
  [0x31, [1, true]], // BALANCE
  [0x37, [3, false]], // CALLDATACOPY
  [0x39, [3, false]], // CODECOPY
  [0x3b, [1, true]], // EXTCODESIZE
  [0x3e, [3, false]], // RETURNDATACOPY
  [0x3f, [1, true]], // EXTCODEHASH
  [0x47, [0, true]], // SELFBALANCE
  [0x54, [1, true]], // SLOAD
  [0x55, [2, false]], // SSTORE
  [0x5c, [1, true]], // TLOAD
  [0x5d, [2, false]], // TSTORE
  [0x5e, [3, false]], // MCOPY
  ...LOGS,
])
