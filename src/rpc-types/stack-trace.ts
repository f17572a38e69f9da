import type { Address, Hex } from '#primitives/hex.ts'

/** Why an execution failed, and where in the sources. The texts are those of contracts and of whoever compiled them. */
export interface RpcStackTrace {
  /** Revert data; `0x` where it did not revert. */
  readonly data: Hex
  /** Why, in words, without a full stop: `execution reverted: arithmetic overflow or underflow`. */
  readonly message: string
  /** Innermost first. A line is either right or left open. */
  readonly stack: readonly RpcStackFrame[]
}

/** The code that a contract is created with; its arguments may follow. */
export interface RpcInitcode {
  readonly initcode: Hex
}

/** One line of a stack trace. */
export interface RpcStackFrame {
  /** The account whose code runs. */
  readonly address: Address
  /** `null` where the code is not recognised. */
  readonly contract: string | null
  /** Name, or `constructor`, `fallback` and the like; `null` where it is not known. */
  readonly function: string | null
  readonly file: string | null
  /** From 1, as is the column. */
  readonly line: number | null
  readonly column: number | null
  /** The line itself. */
  readonly text: string | null
}

/** A compilation that the node knows, with one contract of it. */
export interface RpcBuild {
  readonly contract: string
  /** Path of its source. */
  readonly path: string
  /** Version of the compiler. */
  readonly compiler: string
  /** Whether the metadata is the same, too. */
  readonly isExact: boolean
  /** Standard JSON. */
  readonly input: object
  /** Standard JSON. */
  readonly output: object
}
