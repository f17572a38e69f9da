import type { Caller } from '#rpc-types/connection.ts'
import type { Block, IncludedTransaction } from '../payload/block.ts'
import { searchBlocks } from './caller-guard.ts'
import type { NodeContext } from './context.ts'

/**
 * The newest transaction, pre-confirmed or sealed, that is wanted.
 *
 * @throws {RpcRefusedError} `server`, when the time of a call is up.
 */
export function findNewest(
  context: Pick<NodeContext, 'chain' | 'spec' | 'clock'> & { readonly caller: Caller },
  isWanted: (included: IncludedTransaction) => boolean,
): Promise<{ readonly included: IncludedTransaction; readonly block: Block } | undefined> {
  const { chain } = context
  return searchBlocks(context, async (guard) => {
    for (let block: Block | undefined = chain.pending(); block; block = chain.blockByNumber(block.header.number - 1)) {
      const included = block.transactions.findLast(isWanted)
      if (included) return { included, block }
      const pause = guard.checkpoint()
      if (pause) await pause
    }
    return undefined
  })
}
