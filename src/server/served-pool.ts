import { invariant } from '#primitives/invariant.ts'
import { DemandPool, type MadeChain } from './chains/demand-pool.ts'
import type { NamedNode, ServedPool } from './chains/served-paths.ts'
import type { RunCommand } from './cli/cli.ts'
import { HEAP_BYTES } from './http/limits.ts'
import { type ChainStart, openRunningChain, type RunningChain, type RunningChainDeps } from './running-chain.ts'

/** One part in so many of the heap is for the traces of a chain of the pool. */
const HEAP_PARTS = 8

/**
 * Makes chains like those of the server: new ones with their options, or with their state file or fork, which was read once.
 * They recover senders on the main thread, as short tests have few.
 *
 * @param starts - What each of the server's chains began with.
 */
export function createServedPool(
  { size, idleSeconds }: NonNullable<RunCommand['pool']>,
  models: readonly RunningChain[],
  starts: readonly ChainStart[],
  given: RunningChainDeps,
): ServedPool {
  const { helpers: _, ...deps } = given
  const { clock, log } = deps
  const chains = new DemandPool({ clock, log, size, idleMs: idleSeconds * 1_000 })

  async function make(like: NamedNode, name: string): Promise<MadeChain> {
    const index = models.findIndex(({ node }) => node === like.node)
    const [model, start] = [models[index], starts[index]]
    invariant(model && start, 'a chain of the pool is like one of the server')
    const { dumpState: _dump, ...command } = model.planned.command
    const shared = start.shared && { ...start.shared, fork: model.fork }
    const chain = await openRunningChain(
      { name: `pool/${name}`, command },
      { resolved: start.resolved, ...(shared && { shared }) },
      { ...deps, heapBytes: HEAP_BYTES / HEAP_PARTS },
    )
    try {
      await chain.begin()
      await chain.printConsole()
    } catch (error) {
      await chain.close()
      throw error
    }
    return { node: chain.node, close: () => chain.close() }
  }
  return { chains, size, idleSeconds, make }
}
