import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import {
  type BuilderDeps,
  type HeaderOverrides,
  type PartialContent,
  PayloadBuilder,
} from '../payload/payload-builder.ts'
import { createPacer } from '../turns/pacer.ts'

/** Everything needed to rebuild a live block. */
export interface LiveContent {
  /** Hash of the newest partial block. */
  readonly hash: Hash
  readonly overrides: HeaderOverrides
  /** Transactions of each index, from 0 to the newest. */
  readonly partials: readonly PartialContent[]
}

/** A block that is live again. */
export interface RebuiltBlock {
  readonly builder: PayloadBuilder
  readonly partial: PartialBlock
}

/**
 * Rebuilds a block, partial block by partial block.
 *
 * @throws {InvariantError} If the result has another hash.
 * @throws {ExecutionTimeoutError} If it takes longer than `deps.repeatLimitMs`.
 */
export async function rebuildBlock(
  deps: BuilderDeps,
  parent: SealedBlock,
  content: LiveContent,
  startedAtMs: number,
): Promise<RebuiltBlock> {
  const rebuilt = await rebuild(deps, parent, content, startedAtMs, false)
  // A block of a fork may have been begun while what its system calls touch could not be had.
  const isOther = deps.fork !== undefined && rebuilt.partial?.hash !== content.hash
  const { builder, partial } = isOther ? await rebuild(deps, parent, content, startedAtMs, true) : rebuilt
  invariant(partial?.hash === content.hash, `the rebuilt live block is ${partial?.hash}, not ${content.hash}`)
  // Followers receive the whole block.
  return { builder, partial: { ...partial, restarts: true, firstNew: partial.transactions.length } }
}

async function rebuild(
  deps: BuilderDeps,
  parent: SealedBlock,
  content: LiveContent,
  startedAtMs: number,
  skipsCalls: boolean,
): Promise<{ readonly builder: PayloadBuilder; readonly partial: PartialBlock | undefined }> {
  const builder = await PayloadBuilder.open(deps, parent, content.overrides, undefined, skipsCalls)
  let partial: PartialBlock | undefined
  const limit = createPacer(deps.clock, deps.repeatLimitMs)
  for (const [index, part] of content.partials.entries()) {
    deps.onRepeated?.(index, content.partials.length)
    await builder.repeat(index, part)
    await limit.checkpoint()
    partial = builder.cut(index, partial, startedAtMs)
  }
  return { builder, partial }
}
