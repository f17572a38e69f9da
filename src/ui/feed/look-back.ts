import type { BlinknetProvider } from '#client/session/provider.ts'
import { toQuantity } from '#primitives/hex.ts'
import type { BlockContents } from './apply-contents.ts'
import { fetchBlock } from './fetch-contents.ts'

/** Blocks whose use of gas one call tells. */
const STRETCH = 1_024
/** After this many calls the search ends: more than a day of two-second blocks. */
const MAX_STRETCHES = 64

/**
 * Finds the newest transactions of a chain in blocks from `before` backwards. Empty blocks are not fetched: a block's
 * use of gas tells that it is empty, and one call tells that of a thousand blocks.
 *
 * @param before - The oldest block that is already known.
 * @param first - The oldest block to fetch.
 * @param wanted - Number of transactions after which no older block is fetched.
 * @param isStopped - Ends the search early.
 * @returns One block after another, newest first.
 */
export async function* lookBack(
  provider: BlinknetProvider,
  { before, first, wanted, isStopped }: { before: number; first: number; wanted: number; isStopped: () => boolean },
): AsyncGenerator<BlockContents> {
  let end = before - 1
  let found = 0
  for (let stretch = 0; stretch < MAX_STRETCHES && end >= first; stretch++) {
    const size = Math.min(STRETCH, end - first + 1)
    const { oldestBlock, gasUsedRatio } = await provider.request({
      method: 'eth_feeHistory',
      params: [toQuantity(size), toQuantity(end), []],
    })
    const oldest = Number(oldestBlock)
    for (let i = gasUsedRatio.length - 1; i >= 0; i--) {
      if (isStopped() || found >= wanted) return
      if (!gasUsedRatio[i]) continue
      const block = await provider.request({
        method: 'eth_getBlockByNumber',
        params: [toQuantity(oldest + i), false],
      })
      const contents = block?.hash ? await fetchBlock(provider, block.hash) : undefined
      if (!contents) continue
      found += contents.block.transactions.length
      yield contents
    }
    // The node keeps no older blocks.
    if (oldest > end - size + 1 || gasUsedRatio.length === 0) return
    end = oldest - 1
  }
}
