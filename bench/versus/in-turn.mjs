import { median } from './figures.mjs'

/**
 * Times a call on each chain in turn, round by round, so that other work on the machine affects all of them.
 *
 * @param {readonly import('./chains.mjs').Chain[]} chains
 * @param {string} method
 * @param {readonly unknown[]} params
 * @param {number} rounds - Preceded by as many warm-up rounds, at most three.
 * @param {number} perRound
 * @returns {Promise<Partial<Record<import('./figures.mjs').System, number>>>} Milliseconds, medians.
 */
export async function inTurn(chains, method, params, rounds, perRound) {
  /** @type {Map<import('./figures.mjs').System, number[]>} */
  const taken = new Map(chains.map(({ name }) => [name, []]))
  for (const chain of chains) await chain.time(method, params, Math.min(rounds, 3), perRound)
  for (let round = 0; round < rounds; round++) {
    for (const chain of chains) taken.get(chain.name)?.push(...(await chain.time(method, params, 1, perRound)))
  }
  return Object.fromEntries([...taken].map(([name, all]) => [name, median(all)]))
}
