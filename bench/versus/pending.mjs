import { median, ms, times } from './figures.mjs'
import { inTurn } from './in-turn.mjs'
import { addresses } from './transactions.mjs'

const WAITING = [0, 1_000, 5_000]
const READS = /** @type {const} */ ([
  ['eth_getBlockByNumber', ['pending', false]],
  ['eth_getBalance', [addresses[0], 'pending']],
])
const ROUNDS = 7
/** Reads of one chain in a row, by which its processor time is told. */
const IN_A_ROW = 300
const PROCESSOR_ROUNDS = 3
const BATCH = 100
/** The most allowed relative to the processor time with nothing waiting. */
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
      const name = `\`${method}\` at pending, ${waiting.toLocaleString('en')} waiting`
      report.row(name, await inTurn(chains, method, params, ROUNDS, 5), { format: ms })
      const values = await processorTimes(chains, method, params)
      const first = (idle[method] ??= values)
      if (waiting === 0) {
        report.row('the same, processor time', values, { format: ms })
        continue
      }
      const ratios = /** @type {const} */ (['worker', 'node', 'anvil']).map(
        (system) => (values[system] ?? Number.NaN) / (first[system] ?? Number.NaN),
      )
      report.row('the same, processor time; ratio to none', values, {
        format: ms,
        ratio: ratios.map(times).join(', '),
        goal: `≤ ${MOST}×`,
        met: (ratios[0] ?? Number.NaN) <= MOST && (ratios[1] ?? Number.NaN) <= MOST,
      })
    }
  }
  for (const chain of chains) await chain.call('evm_mine')
}

/**
 * Milliseconds of processor time of a read, medians of several rows of them. Anvil and Hardhat, whose reads take long, have
 * a tenth of the reads.
 *
 * @param {readonly import('./chains.mjs').Chain[]} chains
 * @param {string} method
 * @param {readonly unknown[]} params
 * @returns {Promise<import('./figures.mjs').Values>}
 */
async function processorTimes(chains, method, params) {
  /** @type {Map<import('./figures.mjs').System, number[]>} */
  const taken = new Map(chains.map(({ name }) => [name, []]))
  for (let round = 0; round < PROCESSOR_ROUNDS; round++) {
    for (const chain of chains) {
      const reads = chain.name === 'anvil' || chain.name === 'hardhat' ? IN_A_ROW / 10 : IN_A_ROW
      const before = await chain.processorMs()
      await chain.time(method, params, 1, reads)
      taken.get(chain.name)?.push(((await chain.processorMs()) - before) / reads)
    }
  }
  return Object.fromEntries([...taken].map(([name, all]) => [name, median(all)]))
}
