import { openSeparateChain } from '#client/node/open-separate-chain.ts'
import { startNodeWorker } from '#client/node/start-node-worker.ts'
import type { ReplayedChain } from '#fates/replay.ts'
import { ask } from '#rpc-types/ask.ts'
import { CHAIN_OPTIONS } from './scenario.ts'

/**
 * Runs work on a chain of the scenario: in memory, in a worker that ends with the work.
 *
 * @throws If the chain cannot start, and what the work throws.
 */
export async function withScenarioChain<Result>(work: (chain: ReplayedChain) => Promise<Result>): Promise<Result> {
  const { node, close } = await openSeparateChain(CHAIN_OPTIONS, startNodeWorker)
  try {
    const snapshot = await ask(node, 'devnet_snapshot')
    return await work({
      name: 'chain',
      node,
      async startOver() {
        await ask(node, 'devnet_reset', snapshot, [snapshot])
      },
    })
  } finally {
    close()
  }
}
