import { workloads } from './contracts.mjs'
import { geometricMean, times } from './figures.mjs'
import { inTurn } from './in-turn.mjs'
import { workloadsAddress } from './transactions.mjs'

const ROUNDS = 25
const PER_ROUND = 2
/** Calls of each workload between the first measurement and the second: by then engines that compile as they run have done so. */
const BETWEEN = 300

/** The ratios to anvil, in the browser and in Node.js. */
const GOALS = { means: [3.2, 2.8], lowest: [1.2, 1.1] }

/** @param {number} value */
const mgas = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

/**
 * Mgas/s through `eth_call`, over the workloads: of chains that have run each some hundred times, as a suite of tests does, and
 * of ones that have not.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {readonly import('./chains.mjs').Chain[]} chains
 * @param {readonly import('./chains.mjs').Chain[]} slow - Measured by themselves, and not as often.
 * @param {Readonly<Record<string, { gas: number, ms: number }>>} ethereumjs - By workload.
 */
export async function reportExecution(report, chains, slow, ethereumjs) {
  const first = ratioLists()
  const later = ratioLists()
  for (const { name, data } of workloads) {
    const reference = ethereumjs[name]
    if (!reference) throw new Error(`ethereumjs did not run ${name}`)
    const params = [{ to: workloadsAddress, data }, 'latest']
    /** @param {Partial<Record<import('./figures.mjs').System, number>>} taken @returns {import('./figures.mjs').Values} */
    const speeds = (taken) =>
      Object.fromEntries(Object.entries(taken).map(([system, took]) => [system, reference.gas / took / 1_000]))
    const measure = () => inTurn(chains, 'eth_call', params, ROUNDS, PER_ROUND)
    addRatios(first, speeds(await measure()))
    for (const chain of chains) await chain.time('eth_call', params, 1, BETWEEN)
    const values = speeds({
      ...(await measure()),
      ...(await inTurn(slow, 'eth_call', params, 1, 1)),
      ethereumjs: reference.ms,
    })
    addRatios(later, values)
    report.compare(`Mgas/s, \`eth_call\`: ${name}`, values, { format: mgas, least: 0.8 })
  }
  reportMean(report, 'Mgas/s, geometric mean of the ratios', later, GOALS)
  reportMean(report, `the same, the first ${ROUNDS * PER_ROUND} calls of each`, first)
}

/** The ratios of each workload. @typedef {Record<'worker' | 'node', number[]>} RatioLists */

/** @returns {RatioLists} */
const ratioLists = () => ({ worker: [], node: [] })

/** @param {RatioLists} lists @param {import('./figures.mjs').Values} values */
function addRatios(lists, values) {
  for (const system of /** @type {const} */ (['worker', 'node'])) {
    const [own, other] = [values[system], values.anvil]
    if (own !== undefined && other !== undefined) lists[system].push(own / other)
  }
}

/**
 * @param {import('./figures.mjs').Report} report
 * @param {string} what
 * @param {RatioLists} lists
 * @param {typeof GOALS} [goals]
 */
function reportMean(report, what, lists, goals) {
  const measured = Object.values(lists).filter((all) => all.length > 0)
  const means = measured.map(geometricMean)
  const lows = measured.map((all) => Math.min(...all))
  const goal = goals && {
    goal: `≥ ${goals.means.map(times).join(', ')}; ${goals.lowest.map(times).join(', ')}`,
    met:
      means.every((mean, i) => mean >= (goals.means[i] ?? 0)) && lows.every((low, i) => low >= (goals.lowest[i] ?? 0)),
  }
  const lowest = lows.map(times)
  report.row(
    `${what}; lowest`,
    {},
    { format: mgas, ratio: `${means.map(times).join(', ')}; ${lowest.join(', ')}`, ...goal },
  )
}
