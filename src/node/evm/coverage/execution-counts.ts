import type { Hash, Hex } from '#primitives/hex.ts'

/** How often the steps of one code ran. Lists are pairs: an offset, and how often. */
export interface CodeCounts {
  /** keccak-256 of {@link code}. */
  readonly hash: Hash
  readonly code: Hex
  /** Whether it is initcode, with the constructor's arguments. */
  readonly isCreation: boolean
  /** Steps of frames whose effects were kept. */
  readonly kept: readonly number[]
  /** Steps of frames that failed, or that a failing frame around them has undone. */
  readonly undone: readonly number[]
  /** How often a JUMPI that stands before a JUMPDEST has not jumped. */
  readonly passed: readonly number[]
}

/** What transactions to one function cost. */
export interface GasCounts {
  /** Hash of the code that was called, or of the initcode. */
  readonly code: Hash
  readonly isCreation: boolean
  /** Hash of the code that ran in its place, as with a proxy. */
  readonly implementation: Hash | null
  /** First four bytes of the input, or fewer; `0x` for a creation. */
  readonly selector: Hex
  readonly isFailed: boolean
  /** What the chain went through meanwhile, in the host's words; empty for nothing. */
  readonly history: string
  /** Pairs: gas that the sender paid for, and how often. */
  readonly amounts: readonly number[]
}

/** What was executed. */
export interface ExecutionCounts {
  readonly codes: readonly CodeCounts[]
  readonly gas: readonly GasCounts[]
  /** Executions of code, and amounts of gas, for which there was no room. */
  readonly leftOut: number
}
