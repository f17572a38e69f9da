import type { WasmMemory, WasmTable } from './web-assembly.ts'

/** Exports of the compiled engine; see `assembly/evm/index.ts`. Places and sizes are in bytes. */
export interface EngineExports {
  readonly memory: WasmMemory
  readonly table: WasmTable
  /** How often it has forgotten all codes. */
  readonly trims: { readonly value: number }
  scratchAt(): number
  setHotAfter(runs: number): void
  setHardfork(hardfork: number): void
  /** Sets the maximum size of code in bytes; initcode may be twice as long. */
  setCodeSizeLimit(bytes: number): void
  environmentAt(): number
  accountFieldsAt(): number
  targetAt(): number
  slotKeyAt(): number
  /** For a watched instance: one of `TELL`, which step to report first, and how many. */
  startTelling(kind: number, first: bigint, count: bigint): void
  slotValueAt(account: number, key: number): number
  isFull(): number
  forget(): void
  /** Some slots may have changed since the last message: the host is asked again for each. */
  renewSlots(): void
  prepare(inputSize: number): number
  reserveBlobHashes(count: number): number
  reservePrecompiles(count: number): number
  warmTarget(): void
  warmTargetSlot(): void
  call(input: number, inputSize: number, gas: bigint): number
  create(input: number, inputSize: number, gas: bigint): number
  run(budget: bigint): number
  gasLeft(): bigint
  precompile(): number
  precompileInputAt(): number
  precompileInputSize(): number
  reserveReturnData(size: number): number
  endPrecompile(isSuccess: number, gas: bigint): number
  failedOpcode(): number
  failedHeight(): number
  refund(): bigint
  finish(withChanges: number): number
}

/** Hardforks, as `setHardfork` takes them. */
export const HARDFORK = { Cancun: 0, Prague: 1, Osaka: 2 } as const

/** What `startTelling` takes: report steps, record all of them, or report those that use a new account or slot. */
export const TELL = { steps: 0, record: 1, newUses: 2 } as const

/** Results of `run`. */
export const RUN = { done: 0, paused: 1, precompile: 2 } as const

/** Offsets of what `finish` writes, from the place that it returns: see `assembly/evm/frames/result.ts`. */
export const RESULT = {
  gasLeft: 0,
  refund: 8,
  outcome: 16,
  reason: 20,
  created: 24,
  output: 28,
  outputSize: 32,
  logs: 36,
  logsEnd: 40,
  accounts: 44,
  accountsEnd: 48,
  slots: 52,
  slotsEnd: 56,
} as const

/** Outcomes of a message or a frame. */
export const OUTCOME = { succeeded: 0, reverted: 1, halted: 2 } as const

/** Why it has failed, unless it reverted. */
export const HALT = {
  outOfGas: 1,
  invalidOpcode: 2,
  stackUnderflow: 3,
  stackOverflow: 4,
  invalidJump: 5,
  writeProtection: 6,
  returnDataOutOfBounds: 7,
  initcodeTooLong: 8,
  codeTooLong: 9,
  codeBeginsWithEf: 10,
  codeDepositOutOfGas: 11,
  addressTaken: 12,
  insufficientBalance: 13,
  precompileFailed: 14,
  reentrancySentry: 15,
  tooDeep: 16,
} as const
