import { count, median } from './figures.mjs'

const ROUNDS = 7
/** As many as anvil takes in about a second: with fewer, or with blocks more often, it takes fewer a second. */
const PER_ROUND = 5_000
const PER_ROUND_SINGLE = 500
const BATCH = 50

/** @typedef {Partial<Record<import('./figures.mjs').System, number[]>>} Samples */

/** @param {Samples} samples @returns {import('./figures.mjs').Values} */
const medians = (samples) => Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, median(all)]))

/**
 * Transactions a second, through each chain's interface: accepted, and from raw bytes to sealed roots.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {readonly import('./chains.mjs').Chain[]} chains - Each of which has sealed all that the signer has signed.
 * @param {import('./transactions.mjs').Signer} signer
 * @param {{ transfer: number, erc20: number }} ethereumjs - Transactions a second.
 */
export async function reportThroughput(report, chains, signer, ethereumjs) {
  /** @type {Samples} */
  const single = {}
  for (let round = 0; round < ROUNDS; round++) {
    const lanes = await signer.next('transfer', PER_ROUND_SINGLE)
    for (const chain of chains) {
      const took = await chain.submit(lanes, 1)
      await chain.call('evm_mine')
      ;(single[chain.name] ??= []).push((PER_ROUND_SINGLE / took) * 1_000)
    }
  }
  report.compare('transfers accepted a second, 10 callers, one at a time', medians(single), { format: count })

  for (const [kind, name, least] of /** @type {const} */ ([
    ['transfer', 'transfers', 35],
    ['erc20', 'ERC-20 transfers', 50],
  ])) {
    /** @type {Samples} */
    const accepted = {}
    /** @type {Samples} */
    const sealed = {}
    for (let round = 0; round < ROUNDS; round++) {
      const lanes = await signer.next(kind, PER_ROUND)
      for (const chain of chains) {
        const took = await chain.submit(lanes, BATCH)
        const began = performance.now()
        await chain.call('evm_mine')
        const mined = performance.now() - began
        ;(accepted[chain.name] ??= []).push((PER_ROUND / took) * 1_000)
        ;(sealed[chain.name] ??= []).push((PER_ROUND / (took + mined)) * 1_000)
      }
    }
    report.compare(`${name} accepted a second, ${BATCH} at once`, medians(accepted), { format: count })
    report.compare(`${name} a second, raw bytes to sealed roots`, medians(sealed), { format: count, least: 2.5 })
    const { worker, node } = medians(sealed)
    const beside = { worker, node, ethereumjs: ethereumjs[kind] }
    report.compare('the same, beside ethereumjs with its defaults', beside, { format: count, to: 'ethereumjs', least })
  }
  for (const chain of chains) await expectIncluded(chain)
}

/** Nothing was left out: a chain that drops transactions would look fast. @param {import('./chains.mjs').Chain} chain */
async function expectIncluded(chain) {
  const { transactions } = await chain.call('eth_getBlockByNumber', ['latest', false])
  if (transactions.length !== PER_ROUND) {
    throw new Error(`${chain.name} sealed ${transactions.length} of ${PER_ROUND} transactions`)
  }
}
