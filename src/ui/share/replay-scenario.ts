import { spawnNode } from '#client/node/spawn-node.ts'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { Scenario } from './scenario.ts'

/** Outcome of a scenario. */
export interface Replayed {
  readonly transactions: number
  readonly head: Scenario['head']
  /** Whether it led where it led before. */
  readonly same: boolean
}

/**
 * Does on a fresh chain what a scenario says.
 *
 * @throws {ProviderRpcError} If the node refuses a transaction; what came before it stays.
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

/** Whether a scenario leads to its head, by doing it on a second chain, in memory, which ends at once. */
export async function isRepeatable(scenario: Scenario, options: NodeOptions): Promise<boolean> {
  const second = spawnNode({ ...options, mode: 'manual' }, undefined)
  try {
    return (await replayScenario(second.provider, scenario)).same
  } finally {
    second.close()
  }
}
