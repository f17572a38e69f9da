// Mgas/s of each precompile through `eth_call`, on Blinknet in Chromium and in Node.js and on anvil, in one run: `node
// bench/versus/precompiles.mjs [--only words of a name] [--no-browser]`. Needs `npm run build`.
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openWorker, startBrowser } from './browser.mjs'
import { startAnvil, startBlinknet } from './chains.mjs'
import { Report } from './figures.mjs'
import { LOOP, loopCode, precompileCalls } from './precompile-calls.mjs'

const ROUNDS = 7
/** Gas that the slowest precompile has to use within a second. */
const GAS_PER_SECOND = 16e6

/**
 * The shortest of several calls, in turn: others on the machine only ever make one longer.
 *
 * @param {readonly import('./chains.mjs').Chain[]} chains
 * @param {readonly unknown[]} params
 */
async function best(chains, params) {
  /** @type {Partial<Record<import('./figures.mjs').System, number>>} */
  const taken = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, time } of chains) {
      taken[name] = Math.min(taken[name] ?? Number.POSITIVE_INFINITY, ...(await time('eth_call', params, 1, 1)))
    }
  }
  return taken
}

/** @param {number} value */
const mgas = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0))

/**
 * Mgas/s of each precompile, at first and later, beside an anvil with the same rules.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {readonly import('./chains.mjs').Chain[]} own
 * @param {string} [only] - Words of the names.
 */
export async function reportPrecompiles(report, own, only = '') {
  const anvil = await startAnvil(['--no-mining', '--hardfork', 'osaka'])
  try {
    await compare(report, [...own, anvil], only)
  } finally {
    await anvil.stop()
  }
}

/**
 * @param {import('./figures.mjs').Report} report
 * @param {readonly import('./chains.mjs').Chain[]} chains
 * @param {string} only
 */
async function compare(report, chains, only) {
  for (const call of precompileCalls.filter(({ name }) => name.includes(only))) {
    const params = [{ to: LOOP, data: `0x${call.input}` }, 'latest', { [LOOP]: { code: loopCode(call) } }]
    /** @type {Partial<Record<import('./figures.mjs').System, number>>} */
    const first = {}
    /** @type {string[]} */
    const answers = []
    for (const chain of chains) {
      const began = performance.now()
      answers.push(await chain.call('eth_call', params))
      first[chain.name] = performance.now() - began
    }
    if (new Set(answers).size > 1) throw new Error(`${call.name}: the chains disagree: ${answers.join(', ')}`)
    const gas = Number(BigInt((answers[0] ?? '0x0').slice(0, 66)))
    /** @param {typeof first} taken */
    const speeds = (taken) => Object.fromEntries(Object.entries(taken).map(([name, ms]) => [name, gas / ms / 1_000]))
    report.compare(`${call.name}: the first call`, speeds(first), { format: mgas, least: call.least })
    const later = speeds(await best(chains, params))
    report.compare(call.name, later, { format: mgas, least: call.least })
    const slowest = Math.min(...chains.filter(({ name }) => name !== 'anvil').map(({ name }) => later[name] ?? 0))
    if (slowest * 1e6 < GAS_PER_SECOND) console.log(`  below ${GAS_PER_SECOND / 1e6} Mgas/s`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, 'no-browser': { type: 'boolean', default: false } },
  })
  const host = values['no-browser'] ? undefined : await startBrowser()
  const chains = []
  try {
    if (host) chains.push(await openWorker(host))
    chains.push(await startBlinknet())
    await reportPrecompiles(new Report([...chains.map(({ name }) => name), 'anvil']), chains, values.only)
  } finally {
    for (const chain of chains) await chain.stop()
    await host?.stop()
  }
}
