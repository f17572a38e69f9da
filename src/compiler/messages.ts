import type { Abi } from 'viem'
import type { Hex } from '#primitives/hex.ts'

/** Sets of instructions that the compiler may use, newest first. */
export const EVM_VERSIONS = ['osaka', 'prague', 'cancun', 'shanghai', 'paris', 'london'] as const

export type EvmVersion = (typeof EVM_VERSIONS)[number]

export interface CompilerSettings {
  readonly optimizer: boolean
  /** The optimizer's runs: the more often code is expected to run, the larger it may become to save gas. */
  readonly runs: number
  readonly evmVersion: EvmVersion
}

export interface CompileRequest {
  readonly source: string
  readonly settings: CompilerSettings
}

/** Something that the compiler says about the source. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  /** solc's number for it. */
  readonly code: string | undefined
  /** Its place, as positions in the string; `undefined` if it has none. */
  readonly range: { readonly from: number; readonly to: number } | undefined
}

/** A contract of the source. */
export interface CompiledContract {
  readonly name: string
  readonly abi: Abi
  /** Creation code, without the constructor's arguments; `undefined` if `obstacle` says why there is none. */
  readonly bytecode: Hex | undefined
  /** `abstract`: it, or an interface, has functions without code. `unlinked`: it needs the address of a library. */
  readonly obstacle: 'abstract' | 'unlinked' | undefined
  /** Bytes of the code that stays on the chain. */
  readonly codeBytes: number
}

export interface CompileOutput {
  /** Errors first, then by place. */
  readonly diagnostics: readonly Diagnostic[]
  /** In the order of the source; none if there is an error. */
  readonly contracts: readonly CompiledContract[]
}

/** Page → compiler worker. Sent after `ready`. */
export interface ToCompiler {
  readonly kind: 'compile'
  readonly id: number
  readonly request: CompileRequest
}

/** Compiler worker → page. */
export type FromCompiler =
  /** The compiler is on its way. */
  | { readonly kind: 'loading'; readonly loadedBytes: number; readonly totalBytes: number }
  /** All of it has come and is being started. */
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'ready'
      readonly version: string
      /** Whether the browser keeps it, so that it is there without a network. */
      readonly kept: boolean
    }
  | { readonly kind: 'compiled'; readonly id: number; readonly output: CompileOutput }
  /** It could not be loaded, or it broke down; nothing more comes. */
  | { readonly kind: 'failed'; readonly reason: 'network' | 'broken'; readonly message: string }
