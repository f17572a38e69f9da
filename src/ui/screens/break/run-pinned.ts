import { parseFate } from '#fates/fault.ts'
import type { Pins } from './pins.ts'
import { withScenarioChain } from './scenario/open-chain.ts'
import { runHistory, type ScenarioHistory } from './scenario/scenario.ts'

/**
 * Runs the pinned histories, on a chain of their own.
 *
 * @throws If the chain cannot start, or the signal is aborted.
 */
export function runPinned({ way, fates }: Pins, signal: AbortSignal): Promise<readonly ScenarioHistory[]> {
  return withScenarioChain(async (chain) => {
    const histories: ScenarioHistory[] = []
    for (const fate of fates) histories.push(await runHistory(chain, way, parseFate(fate), signal))
    return histories
  })
}
