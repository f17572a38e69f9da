import type { Hash } from '#primitives/hex.ts'
import type { SealedBlock } from '../payload/block.ts'
import type { Fork } from './fork.ts'
import type { RunningFork, RunningForkDeps } from './running-fork.ts'

/** What a chain begins with: a block of its own, or one of another chain. */
export interface Origin {
  readonly block: SealedBlock
  readonly fork: Fork | undefined
  /** Hash of a block before it. */
  readonly blockHash: (number: number) => Hash | undefined
  readonly run: (deps: RunningForkDeps) => RunningFork | undefined
}

/** The origin of a chain that continues no other. */
export function ownOrigin(block: SealedBlock): Origin {
  return { block, fork: undefined, blockHash: () => undefined, run: () => undefined }
}
