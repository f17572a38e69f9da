import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { RpcExecutionTrace, RpcStorageTrace } from '#rpc-types/execution-trace.ts'
import type { AbiEntry, BuildSettings, Claim } from '#solidity/build/build.ts'
import type { GasProfile } from '#solidity/gas/profile-gas.ts'
import type { SourceFile } from '#solidity/source/contract-sources.ts'
import type { Explanation } from '#solidity/stack/explain-failure.ts'
import type { StepSources } from '#solidity/steps/step-sources.ts'
import type { Slots, ViewedStorage } from '#solidity/storage/describe-slots.ts'
import type { StepData } from '#solidity/variables/locals.ts'
import type { StepVariables } from '#solidity/variables/run-variables.ts'
import type { DescribedCreation } from './describe-creation.ts'
import type { FolderFile, FoundFolder } from './read-folder.ts'

/** What the solidity worker is asked, and what it answers, by the kind of the question. */
export interface SolidityQuestions {
  /** What the sources say about a run. */
  readonly look: { readonly asked: { readonly trace: RpcExecutionTrace }; readonly answer: Looked }
  /** The contract that some deployed code belongs to; `undefined` if no build has it. */
  readonly recognise: { readonly asked: { readonly code: Hex }; readonly answer: RecognisedContract | undefined }
  /** The contract that some initcode creates, and its constructor's arguments; `undefined` if no build has it. */
  readonly creation: { readonly asked: { readonly initcode: Hex }; readonly answer: DescribedCreation | undefined }
  /** The name and the ABI of the contract that some deployed code belongs to; `undefined` if no build has it. */
  readonly identify: { readonly asked: { readonly code: Hex }; readonly answer: IdentifiedContract | undefined }
  /** Indices of the codes that no build has. */
  readonly unknown: { readonly asked: { readonly codes: readonly AskedCode[] }; readonly answer: readonly number[] }
  /** The variables before a step of a run, which the worker keeps: by default it is that of the question before. */
  readonly variables: {
    readonly asked: { readonly run?: RunStorage; readonly step: number; readonly data: StepData }
    readonly answer: StepVariables
  }
  /** The variables in the storages of accounts; `undefined` for an account whose code no build has. */
  readonly storage: { readonly asked: StorageQuestion; readonly answer: readonly (NamedAccount | undefined)[] }
  /** What is in the files of a folder with artifacts. */
  readonly read: { readonly asked: { readonly files: readonly FolderFile[] }; readonly answer: FoundFolder }
}

export type QuestionKind = keyof SolidityQuestions
export type AskedOf<Kind extends QuestionKind> = SolidityQuestions[Kind]['asked']
export type AnswerOf<Kind extends QuestionKind> = SolidityQuestions[Kind]['answer']

/** Page → solidity worker. */
export type ToSolidity =
  /**
   * A build that later questions may name. Its texts are UTF-8 of a JSON list: the compiler's version, then its standard
   * JSON input and output as strings.
   */
  | { readonly kind: 'build'; readonly id: string; readonly texts: Uint8Array<ArrayBuffer> }
  /** Builds that no question will name any more. */
  | { readonly kind: 'forget'; readonly ids: readonly string[] }
  | {
      readonly kind: 'ask'
      readonly id: number
      readonly question: QuestionKind
      /** Ids of the builds to search, best first. */
      readonly builds: readonly string[]
      readonly asked: AskedOf<QuestionKind>
    }

/** Code to look for in the builds. */
export interface AskedCode {
  readonly code: Hex
  /** Whether it is initcode. */
  readonly isCreation: boolean
}

/** A run, with the storage that it uses. */
export interface RunStorage {
  readonly trace: RpcExecutionTrace
  readonly storage: RpcStorageTrace
}

/** Asks for the variables in the storage of some accounts. */
export interface StorageQuestion {
  readonly accounts: readonly AskedStorage[]
  /** Inputs of KECCAK256, among them keys of mappings with their slots. */
  readonly hashed: readonly Hex[]
  /** Words that may be keys of mappings. */
  readonly keys: readonly Hash[]
  /** `changes`: what differs between the states; `all`: everything, including variables that are 0. */
  readonly which: 'all' | 'changes'
}

/** The storage of an account, in several states. */
export interface AskedStorage {
  /** Code that may have its layout, best first: for a proxy that of its implementation. */
  readonly codes: readonly Hex[]
  readonly views: readonly Slots[]
}

/** The variables of an account, by the layout of a contract. */
export interface NamedAccount extends ViewedStorage {
  readonly contract: string
  /** Path of its source. */
  readonly path: string
  /** Index of its code in the question. */
  readonly code: number
  /** Whether its build has a readable layout; without one there are no names. */
  readonly hasLayout: boolean
}

/** What the sources say about a run. */
export interface Looked {
  readonly sources: StepSources
  /** Slots of its contracts' variables, by account, as `devnet_traceStorage` takes them. */
  readonly slots: Readonly<Record<Address, readonly Hash[]>>
  /** Why it failed, and where; `undefined` if it did not. */
  readonly explanation: Explanation | undefined
  readonly gas: GasProfile
  /** Builds that could not be read. */
  readonly refused: readonly RefusedBuild[]
}

/** The contract that some code belongs to, with its sources. */
export interface RecognisedContract {
  readonly buildId: string
  readonly name: string
  /** Path of its source. */
  readonly path: string
  /** From its build. */
  readonly compiler: string
  readonly language: string
  readonly settings: BuildSettings
  /** Whether the metadata matches as well: then the sources do, to the last comment. */
  readonly isExact: boolean
  /** If its build was not compiled: what ties its sources to the code. */
  readonly claimed: Claim | undefined
  /** The contract's own source first, then those that it imports. */
  readonly files: readonly SourceFile[]
}

/** What a contract is called, and how it is called upon, without its sources. */
export interface IdentifiedContract {
  readonly name: string
  readonly abi: readonly AbiEntry[]
  /** Whether the metadata matches as well: only then the name is certainly its own. */
  readonly isExact: boolean
  /** As in `RecognisedContract`. */
  readonly claimed: Claim | undefined
}

/** Solidity worker → page. */
export type FromSolidity =
  | {
      readonly kind: 'answered'
      readonly id: number
      readonly answer: AnswerOf<QuestionKind>
      readonly incomplete: readonly IncompleteBuild[]
    }
  /** Progress: files read, of those known so far. The answer is still to come. */
  | { readonly kind: 'reading'; readonly id: number; readonly done: number; readonly total: number }
  /** A question could not be answered; later ones may be. */
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

/** A build that an answer is from, and that lacks something which the compiler tells of its sources. */
export interface IncompleteBuild {
  readonly id: string
  /** As builds have it. */
  readonly compiler: string
}

/** A build that cannot be read. */
export interface RefusedBuild {
  readonly id: string
  readonly reason: string
}
