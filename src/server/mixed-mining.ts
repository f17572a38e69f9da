import type { Cancel, Clock } from '#primitives/clock.ts'
import { ask } from '#rpc-types/ask.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'

/**
 * Seals a block now and then while automine is on, whether there are transactions or not, as `--mixed-mining` does.
 *
 * @param everyMs - Milliseconds from one to the next.
 * @param onFailure - Called when a block could not be sealed; the next one is tried on time.
 * @returns Ends it, when the block under way is sealed.
 */
export function mineAlsoEvery(
  everyMs: number,
  node: RpcEndpoint,
  clock: Clock,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let cancel: Cancel
  let ended = false
  let mining: Promise<void> = Promise.resolve()

  async function mine(): Promise<void> {
    try {
      // By the clock, or paused: it is not ours to seal.
      if (await ask(node, 'hardhat_getAutomine')) await ask(node, 'evm_mine')
    } catch (error) {
      onFailure(error)
    }
    if (!ended) schedule()
  }

  function schedule(): void {
    cancel = clock.schedule(() => {
      mining = mine()
    }, everyMs)
  }

  schedule()
  return () => {
    ended = true
    cancel()
    return mining
  }
}
