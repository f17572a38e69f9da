import type { Block } from '../payload/block.ts'
import type { NodeContext } from './context.ts'
import { RpcRefusedError } from './errors.ts'
import type { BlockRef } from './params/block-params.ts'

/** The block that a caller named; `undefined` if there is none (yet). The live block answers to `pending` alone. */
export function findBlock({ chain, spec }: Pick<NodeContext, 'chain' | 'spec'>, ref: BlockRef): Block | undefined {
  if (typeof ref === 'number') return chain.blockByNumber(ref)
  if (typeof ref === 'object') return chain.blockByHash(ref.hash)
  if (ref === 'pending') return chain.pending()
  const head = chain.head()
  if (ref === 'latest') return head
  if (ref === 'earliest') return chain.blockByNumber(0)
  const distance = ref === 'safe' ? spec.safeDistance : spec.finalizedDistance
  return chain.blockByNumber(Math.max(0, head.header.number - distance))
}

/**
 * The block that a caller wants to read from.
 *
 * @throws {RpcRefusedError} `header not found` or, by hash, `header for hash not found`, if there is none.
 */
export function requireBlock(context: Pick<NodeContext, 'chain' | 'spec'>, ref: BlockRef): Block {
  const block = findBlock(context, ref)
  if (!block)
    throw new RpcRefusedError('server', typeof ref === 'object' ? 'header for hash not found' : 'header not found')
  return block
}
