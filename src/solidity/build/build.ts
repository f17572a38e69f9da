import type { JsonObject } from '#primitives/json-object.ts'

/** A range of bytes. */
export interface ByteRange {
  readonly start: number
  readonly length: number
}

/** Where the address of a library is inserted. */
export interface LinkReference extends ByteRange {
  readonly path: string
  readonly library: string
}

/** Where the value of an immutable variable is inserted. */
export interface ImmutableReference extends ByteRange {
  /** AST id of the variable's declaration. */
  readonly id: number
}

/** Code that the compiler generated, such as the functions that decode arguments. */
export interface GeneratedSource {
  /** Index in source maps, above those of the sources. */
  readonly id: number
  readonly name: string
}

/** An internal function in the code, as the compiler reports it. */
export interface FunctionEntry {
  readonly name: string
  /** AST id of its declaration; `undefined` for generated functions. */
  readonly id: number | undefined
  /** Offset of its first instruction. */
  readonly entry: number
  readonly parameterSlots: number
  readonly returnSlots: number
}

/** Code, with what the compiler reports about it. */
export interface Code {
  /** Addresses of libraries are zeros. */
  readonly bytes: Uint8Array
  /** In the compiler's format; empty if unknown. */
  readonly sourceMap: string
  readonly links: readonly LinkReference[]
  readonly immutables: readonly ImmutableReference[]
  readonly generatedSources: readonly GeneratedSource[]
  readonly functions: readonly FunctionEntry[]
}

export interface AbiParameter {
  readonly name: string
  readonly type: string
  readonly internalType?: string
  readonly indexed?: boolean
  readonly components?: readonly AbiParameter[]
  /** If it is an enum, or an array of one: the names of its values. They are from the AST: no compiler writes them. */
  readonly enumNames?: readonly string[]
}

export interface AbiEntry {
  readonly type: 'function' | 'constructor' | 'fallback' | 'receive' | 'event' | 'error'
  readonly name?: string
  readonly inputs: readonly AbiParameter[]
  readonly outputs?: readonly AbiParameter[]
  readonly stateMutability?: 'pure' | 'view' | 'nonpayable' | 'payable'
  readonly anonymous?: boolean
}

export interface BuildSource {
  /** Index in source maps. */
  readonly id: number
  readonly path: string
  /** `undefined` if the build does not include it. */
  readonly content: string | undefined
  /** The compiler's output, not validated. */
  readonly ast: unknown
}

export interface BuildContract {
  readonly name: string
  readonly path: string
  readonly abi: readonly AbiEntry[]
  /** Without constructor arguments; `undefined` for interfaces and abstract contracts. */
  readonly creation: Code | undefined
  readonly deployed: Code | undefined
  /** The compiler's output, not validated. */
  readonly storageLayout: unknown
  readonly userdoc: unknown
  readonly devdoc: unknown
}

export interface BuildSettings {
  readonly optimizer: boolean
  readonly runs: number
  readonly viaIR: boolean
  readonly evmVersion: string | undefined
  /** The settings that decide on the code, as standard JSON, remappings included; `undefined` if unknown. */
  readonly given: JsonObject | undefined
}

/**
 * Why sources count as those of some code that nobody compiled here: the code names their metadata by its hash, or only
 * who gave them says so.
 */
export type Claim = 'by hash' | 'by word'

/** One compilation. */
export interface Build {
  readonly id: string
  /** If it was not compiled, but its code taken from the chain. */
  readonly claimed?: Claim
  /** Version, such as `0.8.37+commit.f401782d`; empty if unknown. */
  readonly compiler: string
  /** `Solidity`, `Yul`, `Vyper`. */
  readonly language: string
  readonly settings: BuildSettings
  readonly sources: readonly BuildSource[]
  readonly contracts: readonly BuildContract[]
}
