import { workloads } from './contracts.mjs'
import { geometricMean, times } from './figures.mjs'
import { inTurn } from './in-turn.mjs'
import { workloadsAddress } from './transactions.mjs'

const ROUNDS = 25
const PER_ROUND = 2
/** Calls of each workload between the first measurement and the second: by then engines that compile as they run have done so. */
const BETWEEN = 300

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
  reportMean(report, 'Mgas/s, geometric mean of the ratios', later, 1.3)
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
 * @param {number} [least] - The goal, in the browser.
 */
function reportMean(report, what, lists, least) {
  const measured = Object.values(lists).filter((all) => all.length > 0)
  const means = measured.map(geometricMean)
  const goal = least === undefined ? {} : { goal: `≥ ${least}×`, met: (means[0] ?? 0) >= least }
  const lowest = measured.map((all) => times(Math.min(...all)))
  report.row(
    `${what}; lowest`,
    {},
    { format: mgas, ratio: `${means.map(times).join(', ')}; ${lowest.join(', ')}`, ...goal },
  )
}
