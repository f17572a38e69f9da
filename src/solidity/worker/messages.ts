import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { RpcExecutionTrace, RpcStorageTrace } from '#rpc-types/execution-trace.ts'
import type { BuildSettings } from '#solidity/build/build.ts'
import type { GasProfile } from '#solidity/gas/profile-gas.ts'
import type { SourceFile } from '#solidity/source/contract-sources.ts'
import type { Explanation } from '#solidity/stack/explain-failure.ts'
import type { StepSources } from '#solidity/steps/step-sources.ts'
import type { Slots, ViewedStorage } from '#solidity/storage/describe-slots.ts'
import type { StepData } from '#solidity/variables/locals.ts'
import type { StepVariables } from '#solidity/variables/run-variables.ts'
import type { FolderFile, FoundFolder } from './read-folder.ts'

/** Page → solidity worker. */
export type ToSolidity =
  /**
   * A build that later questions may name; its texts are UTF-8 of JSON: a list of the compiler's version, and its
   * standard JSON input and output as it got and gave them.
   */
  | { readonly kind: 'build'; readonly id: string; readonly texts: Uint8Array<ArrayBuffer> }
  /** Builds that no question will name again. */
  | { readonly kind: 'forget'; readonly ids: readonly string[] }
  | {
      readonly kind: 'look'
      readonly id: number
      /** Of the builds to look in, the best first. */
      readonly builds: readonly string[]
      readonly trace: RpcExecutionTrace
    }
  | {
      readonly kind: 'recognise'
      readonly id: number
      /** As above. */
      readonly builds: readonly string[]
      /** As the chain has it. */
      readonly code: Hex
    }
  | {
      readonly kind: 'unknown'
      readonly id: number
      /** As above. */
      readonly builds: readonly string[]
      readonly codes: readonly AskedCode[]
    }
  | {
      readonly kind: 'variables'
      readonly id: number
      /** As above. */
      readonly builds: readonly string[]
      /** The run that this question and later ones are about; left out, that of the question before. */
      readonly run?: RunStorage
      readonly step: number
      readonly data: StepData
    }
  | ({ readonly kind: 'storage'; readonly id: number; readonly builds: readonly string[] } & StorageQuestion)
  /** Files of a folder with artifacts. */
  | { readonly kind: 'read'; readonly id: number; readonly files: readonly FolderFile[] }

/** A code that a build may have. */
export interface AskedCode {
  readonly code: Hex
  /** Whether it is initcode. */
  readonly isCreation: boolean
}

/** A run with the storage that it uses. */
export interface RunStorage {
  readonly trace: RpcExecutionTrace
  readonly storage: RpcStorageTrace
}

/** What to name in the storages of some accounts. */
export interface StorageQuestion {
  readonly accounts: readonly AskedStorage[]
  /** What was hashed: among it the keys of mappings with their slots. */
  readonly hashed: readonly Hex[]
  /** Words that may be keys of mappings. */
  readonly keys: readonly Hash[]
  /** `changes`: what differs between the states; `all`: variables that are 0 as well. */
  readonly which: 'all' | 'changes'
}

/** The storage of an account, in several states. */
export interface AskedStorage {
  /** Codes that may know its layout, the best first: of a proxy that of its implementation. */
  readonly codes: readonly Hex[]
  readonly views: readonly Slots[]
}

/** Variables of an account, by the layout of a contract. */
export interface NamedAccount extends ViewedStorage {
  readonly contract: string
  /** Of its source. */
  readonly path: string
  /** Index of its code. */
  readonly code: number
  /** Whether its build has a layout that can be read; without one nothing is named. */
  readonly hasLayout: boolean
}

/** What the sources say of a run. */
export interface Looked {
  readonly sources: StepSources
  /** Slots of its contracts' variables by account, as `devnet_traceStorage` takes them. */
  readonly slots: Readonly<Record<Address, readonly Hash[]>>
  /** Why it failed, and where; `undefined` if it did not. */
  readonly explanation: Explanation | undefined
  readonly gas: GasProfile
  /** Builds that could not be read. */
  readonly refused: readonly RefusedBuild[]
}

/** The contract whose code it is, with its sources. */
export interface RecognisedContract {
  readonly buildId: string
  readonly name: string
  /** Of its source. */
  readonly path: string
  /** As a build has them. */
  readonly compiler: string
  readonly language: string
  readonly settings: BuildSettings
  /** Whether the metadata is the same, too: then the sources are, to the last comment. */
  readonly isExact: boolean
  /** Its own first, then those that it imports. */
  readonly files: readonly SourceFile[]
}

/** Solidity worker → page. */
export type FromSolidity =
  | { readonly kind: 'looked'; readonly id: number; readonly looked: Looked }
  /** `undefined`: it is of none of the builds. */
  | { readonly kind: 'recognised'; readonly id: number; readonly contract: RecognisedContract | undefined }
  /** Indices of the codes that are of none of the builds. */
  | { readonly kind: 'unknown'; readonly id: number; readonly indices: readonly number[] }
  | { readonly kind: 'variables'; readonly id: number; readonly variables: StepVariables }
  /** For each account `undefined` if none of its codes is of a build. */
  | { readonly kind: 'named'; readonly id: number; readonly accounts: readonly (NamedAccount | undefined)[] }
  /** How many files were read, of how many that are known so far. The answer is still to come. */
  | { readonly kind: 'reading'; readonly id: number; readonly done: number; readonly total: number }
  | { readonly kind: 'found'; readonly id: number; readonly found: FoundFolder }
  /** A question has no answer; later ones may have. */
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

/** A build that cannot be read. */
export interface RefusedBuild {
  readonly id: string
  readonly reason: string
}
