import type { Abi } from 'viem'
import type { Hex } from '#primitives/hex.ts'
import type { PackedBuild } from '#solidity/worker/pack-build.ts'
import type { Roots } from './project/project-config.ts'

/** Sets of instructions that the compiler may use, newest first. */
export const EVM_VERSIONS = ['osaka', 'prague', 'cancun', 'shanghai', 'paris', 'london', 'berlin', 'istanbul'] as const

export type EvmVersion = (typeof EVM_VERSIONS)[number]

export interface CompilerSettings {
  readonly optimizer: boolean
  /** The optimizer's runs: the more often code is expected to run, the larger it may become to save gas. */
  readonly runs: number
  readonly evmVersion: EvmVersion
  /** Compiles via Yul, the intermediate language: better code, and no “stack too deep”, in more time. */
  readonly viaIR: boolean
  /** What the code ends with, if not what the compiler adds by default. */
  readonly metadata?: MetadataSettings | undefined
  /** Whether a project's tests and scripts are compiled, too. */
  readonly withTests?: boolean | undefined
}

/**
 * What the code tells of its metadata, as standard JSON has it. By default it ends with a hash of it (`ipfs`) and the
 * compiler's version.
 */
export interface MetadataSettings {
  readonly bytecodeHash?: (typeof METADATA_HASHES)[number]
  /** `false`: it ends with nothing. */
  readonly appendCBOR?: boolean
}

/** Hashes of metadata that the compiler knows. */
export const METADATA_HASHES = ['ipfs', 'bzzr1', 'none'] as const

/** Texts by path, such as `src/Token.sol`. */
export type Files = Readonly<Record<string, string>>

export interface CompileRequest {
  /** A project's files. `remappings.txt` is read as Foundry reads it; what does not end in `.sol` is not compiled. */
  readonly files: Files
  readonly settings: CompilerSettings
}

/** A place in a source. */
export interface MessagePlace {
  /** The project's path, or that of an imported source. */
  readonly file: string
  /** Positions in the file's text as a string. */
  readonly from: number
  readonly to: number
  /** Line of `from`, counted from 1. */
  readonly line: number
  readonly column: number
}

/** Something that the compiler says about the sources. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  /** solc's number for it. */
  readonly code: string | undefined
  readonly place: MessagePlace | undefined
  /** What to do about it, if the page knows more than solc. */
  readonly advice: string | undefined
}

/** Where the address of a library goes. */
export interface LibraryLink {
  /** The library's source and name. */
  readonly file: string
  readonly name: string
  /** Offsets in the creation code, in bytes, of 20 bytes each. */
  readonly offsets: readonly number[]
}

/** A contract of the sources. */
export interface CompiledContract {
  /** Path of its source. */
  readonly file: string
  readonly name: string
  /** Whether the file is the project's, not of a library in its `lib/` or in a package. */
  readonly isOwn: boolean
  readonly abi: Abi
  /**
   * Creation code, without the constructor's arguments, and with zeros where addresses of libraries go; `undefined` if it
   * is abstract: it, or an interface, has functions without code.
   */
  readonly bytecode: Hex | undefined
  /** The libraries whose addresses the creation code needs. */
  readonly links: readonly LibraryLink[]
  /** Bytes of the code that stays on the chain. */
  readonly codeBytes: number
}

export interface CompileOutput {
  /** Errors first, then by place. */
  readonly diagnostics: readonly Diagnostic[]
  /** The project's own first, in the order of their sources; none if there is an error. */
  readonly contracts: readonly CompiledContract[]
  /** Sources of libraries that a diagnostic names. */
  readonly libraries: Files
  /** Missing if there is an error. */
  readonly build: PackedBuild | undefined
}

/** A kept build to compile once more, and the code that a contract of it should have. */
export interface VerifyRequest {
  /** As `PackedBuild`, unpacked. */
  readonly texts: Uint8Array<ArrayBuffer>
  /** Path of the contract's source. */
  readonly path: string
  /** Name of the contract. */
  readonly name: string
  /** As the chain has it. */
  readonly code: Hex
}

/**
 * Whether compiling once more gives the code of the chain. Values of immutable variables and addresses of libraries are
 * not compared: the compiler does not know them.
 */
export type Verification =
  /** `same but metadata`: all but the metadata, which has a hash of every source and the settings. */
  | { readonly outcome: 'same' | 'same but metadata' | 'different'; readonly compiler: string }
  /** Not compiled: the build is of another compiler than this one. */
  | { readonly outcome: 'other compiler'; readonly compiler: string; readonly here: string }
  | { readonly outcome: 'unreadable'; readonly reason: string }

/** The sources of a project, with its settings. */
export interface ProjectSources {
  readonly kind: 'project'
  /** By path. Only what a compilation needs is read. */
  readonly files: Readonly<Record<string, Blob>>
  /** As in `remappings.txt`, those that are inferred included. */
  readonly remappings: string
  /** Where to begin: with its contracts, and if none of them has the code, with its tests, too. */
  readonly roots: Roots
  readonly settings: CompilerSettings
}

/** A file with standard JSON input, which has sources and settings. */
export interface StandardInput {
  readonly kind: 'standard JSON'
  readonly file: Blob
}

/** Sources that may be those of some code. */
export interface MatchRequest {
  readonly sources: ProjectSources | StandardInput
  /** Deployed code, from the chain. */
  readonly code: Hex
}

/** The result of compiling sources to find the contract that some code belongs to. */
export type Match =
  | {
      readonly outcome: 'found'
      /** Path of its source. */
      readonly path: string
      readonly name: string
      readonly abi: Abi
      readonly verification: Verification
      readonly build: PackedBuild
    }
  | {
      readonly outcome: 'none'
      /** Version of the compiler that made the code, according to its metadata. */
      readonly compiledBy: string | undefined
      readonly here: string
      /** The contract with the most of the code's functions, and among several the nearest in length. */
      readonly closest: ClosestContract | undefined
    }
  /** The first errors: of the compiler, or of sources that could not be fetched. */
  | { readonly outcome: 'errors'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly outcome: 'unreadable'; readonly reason: string }

/** A contract that has not quite the code. */
export interface ClosestContract {
  readonly path: string
  readonly name: string
  readonly bytes: number
  /** Whether it has the same functions: then settings differ, rather than sources. */
  readonly hasSameFunctions: boolean
}

/** What the compiler worker is asked, and what it answers, by the kind of the request. */
export interface CompilerRequests {
  readonly compile: { readonly request: CompileRequest; readonly answer: CompileOutput }
  /** Compiles a kept build once more, and compares. */
  readonly verify: { readonly request: VerifyRequest; readonly answer: Verification }
  /** Compiles sources and looks for the contract that some code belongs to. */
  readonly match: { readonly request: MatchRequest; readonly answer: Match }
  /**
   * Compiles a build once more for what it lacks. Its texts are those of `PackedBuild`, unpacked. The answer is `undefined`
   * if its code could not be made again.
   */
  readonly complete: {
    readonly request: { readonly texts: Uint8Array<ArrayBuffer> }
    readonly answer: PackedBuild | undefined
  }
}

export type CompilerTask = keyof CompilerRequests
export type RequestOf<Task extends CompilerTask> = CompilerRequests[Task]['request']
export type CompiledOf<Task extends CompilerTask> = CompilerRequests[Task]['answer']

/** Page → compiler worker. Sent after `ready`. */
export type ToCompiler = {
  [Task in CompilerTask]: { readonly kind: Task; readonly id: number; readonly request: RequestOf<Task> }
}[CompilerTask]

/** Compiler worker → page. */
export type FromCompiler =
  /** The compiler, or a package that a source imports, is on its way. */
  | { readonly kind: 'loading'; readonly what: string; readonly loadedBytes: number; readonly totalBytes: number }
  /** The compiler has come and is being started. */
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'ready'
      readonly version: string
      /** Whether the browser keeps it, so that it is there without a network. */
      readonly kept: boolean
    }
  /** Everything that a request needs is there, and the compiler runs. */
  | { readonly kind: 'compiling' }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: CompiledOf<CompilerTask> }
  /** The compiler could not be loaded, or it broke down; nothing more comes. */
  | { readonly kind: 'failed'; readonly reason: 'network' | 'broken'; readonly message: string }
