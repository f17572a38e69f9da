import { CONSTANT_WORKER, openPage } from './browser.mjs'
import { median, ms, times } from './figures.mjs'
import { inTurn } from './in-turn.mjs'

const ROUNDS = 31
const PER_ROUND = 100

/**
 * How long `eth_blockNumber` takes.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {readonly import('./chains.mjs').Chain[]} chains
 * @param {import('./browser.mjs').Host} host
 */
export async function reportRoundTrip(report, chains, host) {
  const asked = await inTurn(chains, 'eth_blockNumber', [], ROUNDS, PER_ROUND)
  const { node, anvil, worker } = asked
  report.compare('`eth_blockNumber`, HTTP, connection kept', { node, anvil }, { format: ms, most: 1.5 })

  const plain = await host.browser.newPage()
  await plain.goto(host.plain)
  const remote = await fetchFrom(plain, chains.find(({ name }) => name === 'anvil')?.url ?? '')
  await plain.close()
  const page = await openPage(host, 'chain=round-trip&clock=manual')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const provider = await fromProvider(page)
  const fetched = await fetchFrom(page, new URL('rpc?chain=round-trip', host.base).href)
  await page.close()

  const beside = { anvil: remote }
  report.compare('the same, `fetch` in Chromium; the worker’s port', { worker, ...beside }, { format: ms, most: 0.05 })
  report.compare('the same; the page’s provider', { worker: provider, ...beside }, { format: ms, most: 0.05 })
  report.compare("the same; the page’s `fetch('rpc')`", { worker: fetched, ...beside }, { format: ms })
  const constant = await fetchConstant(host)
  report.row(
    'the same; a constant from a service worker',
    { worker: constant },
    { format: ms, ratio: times(fetched / constant) },
  )
}

/** @param {import('@playwright/test').Page} page */
async function fromProvider(page) {
  const all = await page.evaluate(
    async ({ rounds, perRound }) => {
      const means = []
      for (let round = 0; round < rounds; round++) {
        const began = performance.now()
        for (let i = 0; i < perRound; i++) await devnet?.request({ method: 'eth_blockNumber' })
        means.push((performance.now() - began) / perRound)
      }
      return means
    },
    { rounds: ROUNDS, perRound: PER_ROUND },
  )
  return median(all)
}

/** @param {import('@playwright/test').Page} page @param {string} url */
async function fetchFrom(page, url) {
  const all = await page.evaluate(
    async ({ address, rounds, perRound }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
      const means = []
      for (let round = 0; round < rounds; round++) {
        const began = performance.now()
        for (let i = 0; i < perRound; i++) {
          const headers = { 'Content-Type': 'application/json' }
          const response = await fetch(address, { method: 'POST', headers, body })
          if (!(await response.text()).includes('"result"')) throw new Error(`${address} did not answer`)
        }
        means.push((performance.now() - began) / perRound)
      }
      return means
    },
    { address: url, rounds: ROUNDS, perRound: PER_ROUND },
  )
  return median(all)
}

/** What no page can pass whose service worker answers. @param {import('./browser.mjs').Host} host */
async function fetchConstant({ browser, plain }) {
  // A service worker has the whole origin, on which other pages are measured: it is of a profile of its own.
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(plain)
    await page.evaluate((script) => navigator.serviceWorker.register(script), CONSTANT_WORKER)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    return await fetchFrom(page, new URL('/constant', plain).href)
  } finally {
    await context.close()
  }
}
