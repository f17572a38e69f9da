import { workloads } from './contracts.mjs'
import { geometricMean, times } from './figures.mjs'
import { inTurn } from './in-turn.mjs'
import { workloadsAddress } from './transactions.mjs'

const ROUNDS = 25

/** @param {number} value */
const mgas = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

/**
 * Mgas/s through `eth_call`, over the workloads.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {readonly import('./chains.mjs').Chain[]} chains
 * @param {readonly import('./chains.mjs').Chain[]} slow - Measured by themselves, and not as often.
 * @param {Readonly<Record<string, { gas: number, ms: number }>>} ethereumjs - By workload.
 */
export async function reportExecution(report, chains, slow, ethereumjs) {
  /** @type {Record<'worker' | 'node', number[]>} */
  const ratios = { worker: [], node: [] }
  for (const { name, data } of workloads) {
    const reference = ethereumjs[name]
    if (!reference) throw new Error(`ethereumjs did not run ${name}`)
    const speed = (/** @type {number} */ took) => reference.gas / took / 1_000
    const params = [{ to: workloadsAddress, data }, 'latest']
    const taken = {
      ...(await inTurn(chains, 'eth_call', params, ROUNDS, 2)),
      ...(await inTurn(slow, 'eth_call', params, 1, 1)),
    }
    const speeds = Object.entries({ ...taken, ethereumjs: reference.ms }).map(([system, time]) => [system, speed(time)])
    /** @type {import('./figures.mjs').Values} */
    const values = Object.fromEntries(speeds)
    for (const system of /** @type {const} */ (['worker', 'node'])) {
      const [own, other] = [values[system], values.anvil]
      if (own !== undefined && other !== undefined) ratios[system].push(own / other)
    }
    report.compare(`Mgas/s, \`eth_call\`: ${name}`, values, { format: mgas, least: 0.8 })
  }
  const means = Object.values(ratios)
    .filter((all) => all.length > 0)
    .map(geometricMean)
  report.row(
    'Mgas/s, geometric mean of the ratios',
    {},
    { format: mgas, ratio: means.map(times).join(', '), goal: '≥ 1.3×', met: (means[0] ?? 0) >= 1.3 },
  )
}
