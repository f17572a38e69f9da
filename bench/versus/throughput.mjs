import { count, median } from './figures.mjs'

const ROUNDS = 7
/** As many as anvil accepts in about a second; with smaller rounds, and so more blocks, its rate is lower. */
const PER_ROUND = 5_000
const PER_ROUND_SINGLE = 500
const BATCH = 50

/** @typedef {Partial<Record<import('./figures.mjs').System, number[]>>} Samples */

/** @param {Samples} samples @returns {import('./figures.mjs').Values} */
const medians = (samples) => Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, median(all)]))

/**
 * Transactions per second through each chain's interface: until accepted, and from raw bytes to sealed roots.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {readonly import('./chains.mjs').Chain[]} chains - Each has sealed all of the signer's transactions so far.
 * @param {import('./chains.mjs').Chain} bare - Runs no chain.
 * @param {readonly import('./chains.mjs').Chain[]} slow - More chains, measured separately so that they do not keep the others waiting.
 * @param {import('./transactions.mjs').BenchSigner} signer
 * @param {{ transfer: number, erc20: number }} ethereumjs - Transactions per second.
 */
export async function reportThroughput(report, chains, bare, slow, signer, ethereumjs) {
  const oneByOne = async (/** @type {string} */ when, /** @type {number} */ least) => {
    const rounds = await sign(signer, 'transfer', PER_ROUND_SINGLE)
    const { accepted } = await inRounds([[...chains, bare], slow], rounds, 1)
    const { bare: floor, ...values } = medians(accepted)
    const name = `transfers accepted a second, 10 callers, one at a time, ${when}`
    report.compare(name, values, { format: count, least: [undefined, least] })
    report.compare(
      'the same, beside bare `node:http`',
      { node: values.node, bare: floor },
      { format: count, to: 'bare' },
    )
  }
  await oneByOne('the first 3,500', 1.1)
  for (const [kind, transactions, goal, least] of /** @type {const} */ ([
    ['transfer', 'transfers', [3.5, 3], 35],
    ['erc20', 'ERC-20 transfers', [3.3, 2.8], 50],
  ])) {
    const { accepted, sealed } = await inRounds([chains, slow], await sign(signer, kind, PER_ROUND), BATCH)
    report.compare(`${transactions} accepted a second, ${BATCH} at once`, medians(accepted), { format: count })
    const name = `${transactions} a second, raw bytes to sealed roots`
    report.compare(name, medians(sealed), { format: count, least: goal })
    const { worker, node } = medians(sealed)
    const beside = { worker, node, ethereumjs: ethereumjs[kind] }
    report.compare('the same, beside ethereumjs with its defaults', beside, { format: count, to: 'ethereumjs', least })
    if (kind === 'transfer') await oneByOne('after 40,000', 1.35)
  }
  for (const chain of [...chains, ...slow]) await expectIncluded(chain)
}

/** @param {import('./transactions.mjs').BenchSigner} signer @param {'transfer' | 'erc20'} kind @param {number} each */
async function sign(signer, kind, each) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await signer.next(kind, each))
  return rounds
}

/**
 * Runs each round on the chains of a group in turn, one group after the other.
 *
 * @param {readonly (readonly import('./chains.mjs').Chain[])[]} groups
 * @param {readonly (readonly (readonly string[])[])[]} rounds - The lanes of each round.
 * @param {number} size - Transactions per request.
 */
async function inRounds(groups, rounds, size) {
  /** @type {{ accepted: Samples, sealed: Samples }} */
  const samples = { accepted: {}, sealed: {} }
  for (const group of groups) {
    for (const lanes of rounds) {
      const amount = lanes.flat().length
      for (const chain of group) {
        const took = await chain.submit(lanes, size)
        const began = performance.now()
        await chain.call('evm_mine')
        const mined = performance.now() - began
        ;(samples.accepted[chain.name] ??= []).push((amount / took) * 1_000)
        ;(samples.sealed[chain.name] ??= []).push((amount / (took + mined)) * 1_000)
      }
    }
  }
  return samples
}

/** Checks that no transaction is missing: a chain that drops some would look fast. @param {import('./chains.mjs').Chain} chain */
async function expectIncluded(chain) {
  const { transactions } = await chain.call('eth_getBlockByNumber', ['latest', false])
  if (transactions.length !== PER_ROUND) {
    throw new Error(`${chain.name} sealed ${transactions.length} of ${PER_ROUND} transactions`)
  }
}
