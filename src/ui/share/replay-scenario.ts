import { spawnNode } from '#client/node/spawn-node.ts'
import { takeNodeWorker } from '#client/node/start-node-worker.ts'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { Scenario } from './scenario.ts'

/** Result of a replayed scenario. */
export interface Replayed {
  readonly transactions: number
  readonly head: Scenario['head']
  /** Whether the result is the same as recorded. */
  readonly same: boolean
}

/**
 * Replays a scenario on a fresh chain.
 *
 * @throws {ProviderRpcError} If the node refuses a transaction; earlier ones stay.
 */
export async function replayScenario(provider: BlinknetProvider, { steps, head }: Scenario): Promise<Replayed> {
  for (const step of steps) {
    if (step.kind === 'ticks') await provider.request({ method: 'devnet_tick', params: [step.count] })
    else await provider.request({ method: 'eth_sendRawTransaction', params: [step.raw] })
  }
  const { head: reached } = await provider.request({ method: 'devnet_status' })
  return {
    transactions: steps.filter((step) => step.kind === 'send').length,
    head: { number: Number(reached.number), hash: reached.hash },
    same: Number(reached.number) === head.number && reached.hash === head.hash,
  }
}

/** Whether a scenario leads to its head, checked on a second chain in memory that ends at once. */
export async function isRepeatable(scenario: Scenario, options: NodeOptions): Promise<boolean> {
  const second = spawnNode({ ...options, mode: 'manual' }, undefined, takeNodeWorker)
  try {
    return (await replayScenario(second.provider, scenario)).same
  } finally {
    second.close()
  }
}
