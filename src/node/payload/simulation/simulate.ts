import type { Hash } from '#primitives/hex.ts'
import { withTimeoutAsFailure } from '../../evm/calls/execute-call.ts'
import { separateCodes } from '../../evm/calls/state-override.ts'
import { WorldState } from '../../state/world-state.ts'
import type { Block } from '../block.ts'
import { planBlocks } from './plan-blocks.ts'
import { type Simulator, simulateBlock } from './simulate-block.ts'
import type { SimulatedBlock, SimulatedBlockPlan, SimulationDeps, SimulationOptions } from './simulation.ts'

/**
 * Simulates blocks of calls on top of a block, each on the state after the one before; the chain is not affected.
 *
 * @throws {SimulationError} If there is nothing to simulate, or a call cannot be part of a block.
 * @throws {CallFailedError} `timeout`, or `bad-override`.
 */
export async function simulate(
  deps: SimulationDeps,
  base: Block,
  plans: readonly SimulatedBlockPlan[],
  options: SimulationOptions,
): Promise<readonly SimulatedBlock[]> {
  const { spec, guard, limits, sharesSeconds } = deps
  const blockSeconds = Math.max(1, Math.round((spec.partialMs * spec.partialsPerBlock) / 1_000))
  const planned = planBlocks(base.header, plans, blockSeconds, sharesSeconds)
  const hashes = new Map<number, Hash>([[base.header.number, base.hash]])
  const simulator: Simulator = {
    deps,
    options,
    state: new WorldState(separateCodes(base.state)),
    guard,
    remainingGas: limits.gasCap,
    blockHash: (number) => hashes.get(number) ?? (number < base.header.number ? deps.blockHash(number) : undefined),
  }
  return withTimeoutAsFailure(async () => {
    const simulated: SimulatedBlock[] = []
    for (const plan of planned) {
      const next = await simulateBlock(simulator, plan, simulated.at(-1)?.block ?? base)
      hashes.set(plan.number, next.block.hash)
      simulated.push(next)
      await simulator.guard.checkpoint()
    }
    return simulated
  })
}
