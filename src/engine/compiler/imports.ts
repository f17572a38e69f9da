/** What compiled code calls and reads of the engine: exports of `assembly/evm/index.ts`. */
import { TYPE } from './opcodes.ts'

export interface FunctionType {
  readonly params: readonly number[]
  readonly results: readonly number[]
}

const { i32, i64 } = TYPE
const word = { params: [i32, i32, i32], results: [] }
const modular = { params: [i32, i32, i32, i32], results: [] }
const priced = { params: [i64, i32, i32], results: [i64] }

/** Functions, in the order of their numbers. */
export const FUNCTIONS = {
  div: word,
  sdiv: word,
  mod: word,
  smod: word,
  signextend: word,
  byte: word,
  shl: word,
  shr: word,
  sar: word,
  calldataload: word,
  addmod: modular,
  mulmod: modular,
  mload: priced,
  mstore: priced,
  mstore8: priced,
  step: { params: [i32, i64, i32], results: [i64] },
  hash: { params: [i64, i32, i32, i32], results: [i64] },
} satisfies Record<string, FunctionType>

export type FunctionName = keyof typeof FUNCTIONS
const NAMES = Object.keys(FUNCTIONS)

export function functionNumber(name: FunctionName): number {
  return NAMES.indexOf(name)
}

/** Globals (i32), likewise. */
export const GLOBALS = ['memoryAt', 'memorySize', 'returnSize'] as const
export const GLOBAL = { memoryAt: 0, memorySize: 1, returnSize: 2 } as const

/** The functions of the module itself follow. */
const first = NAMES.length
export const OWN = { high: first, byLimb: first + 1, byWord: first + 2, paths: first + 3 } as const
