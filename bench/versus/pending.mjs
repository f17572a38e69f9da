import { ms, times } from './figures.mjs'
import { inTurn } from './in-turn.mjs'
import { addresses } from './transactions.mjs'

const WAITING = [0, 1_000, 5_000]
const READS = /** @type {const} */ ([
  ['eth_getBlockByNumber', ['pending', false]],
  ['eth_getBalance', [addresses[0], 'pending']],
])
const ROUNDS = 7
const BATCH = 100
/** The most allowed relative to the time with nothing waiting. */
const MOST = 1.5

/**
 * Measures reads at `pending` while transactions wait.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {readonly import('./chains.mjs').Chain[]} chains
 * @param {import('./transactions.mjs').BenchSigner} signer
 */
export async function reportPendingReads(report, chains, signer) {
  /** @type {Record<string, import('./figures.mjs').Values>} */
  const idle = {}
  let before = 0
  for (const waiting of WAITING) {
    const lanes = await signer.next('transfer', waiting - before)
    before = waiting
    for (const chain of chains) await chain.submit(lanes, BATCH)
    for (const [method, params] of READS) {
      const values = await inTurn(chains, method, params, ROUNDS, 5)
      const first = (idle[method] ??= values)
      const ratios = /** @type {const} */ (['worker', 'node', 'anvil']).map(
        (system) => (values[system] ?? Number.NaN) / (first[system] ?? Number.NaN),
      )
      const judged =
        waiting === 0
          ? {}
          : { ratio: ratios.map(times).join(', '), goal: `≤ ${MOST}×`, met: (ratios[0] ?? Number.NaN) <= MOST }
      const options = waiting === 0 ? '' : '; ratio to none'
      report.row(`\`${method}\` at pending, ${waiting.toLocaleString('en')} waiting${options}`, values, {
        format: ms,
        ...judged,
      })
    }
  }
  for (const chain of chains) await chain.call('evm_mine')
}
