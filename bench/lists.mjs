// Part of `npm run bench` that measures the explorer's lists on a chain of 100,000 transactions in the page: the time until
// the first rows stand there, with and without filters, how long a search through everything takes that finds nothing, and
// frames while thousands of loaded rows are scrolled. Needs `npm run build`. Usage: lists.mjs [--transactions 100000]
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { preview } from 'vite'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'
import { frameFigures, measureFrames } from './frames/measure-frames.mjs'
import { watchPage } from './frames/page-trace.mjs'
import { median } from './versus/figures.mjs'

const { values } = parseArgs({ options: { transactions: { type: 'string', default: '100000' } } })
const TRANSACTIONS = Number(values.transactions)
const IN_BLOCK = 2_000
const ROUNDS = 5
/** Presses of the button below a list, before it is scrolled. */
const PRESSES = 30
const SCROLLED_MS = 4_000
const PACE = 6_000
const LONG_MS = 50

/** Logs Transfer(caller, address in word 1, word 0). */
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const EMITTER = `0x5f355f52602035337f${TRANSFER}60205fa300`
const emitter = `0x${'e7'.repeat(20)}`

/** What is opened, and the table that has to have rows. Without one, nothing is found. */
const VIEWS = /** @type {const} */ ([
  ['blocks', '/explore', 'Blocks'],
  ['blocks, those with transactions', '/explore?f.with=some', 'Blocks'],
  ['transactions', '/explore/transactions', 'Transactions'],
  ['transactions of one sender', '/explore/transactions?f.from=Account+3', 'Transactions'],
  ['transactions from the middle of the chain', '/explore/transactions?at=25.1000', 'Transactions'],
  ['transactions, a method that nothing has', '/explore/transactions?f.method=0x12345678', ''],
  ['accounts', '/explore/accounts', 'Accounts'],
  ['contracts', '/explore/contracts', 'Contracts'],
  ['events', '/explore/events', 'Events'],
  ['events with an account among their arguments', '/explore/events?f.argument=Account+3', 'Events'],
  ['events, an argument that none has', '/explore/events?f.argument=0x1234567890', ''],
])
const SCROLLED = /** @type {const} */ ([
  ['blocks', '/explore', 'Blocks'],
  ['transactions', '/explore/transactions', 'Transactions'],
  ['accounts', '/explore/accounts', 'Accounts'],
  ['events', '/explore/events', 'Events'],
])

/**
 * Runs in the page: fills its chain with transfers to new accounts and calls that log, from ten accounts by turns, without
 * signatures.
 *
 * @param {{ count: number, inBlock: number, emitter: string, code: string }} wishes
 */
async function fill({ count, inBlock, emitter: contract, code }) {
  /** @param {string} method @param {readonly unknown[]} [params] */
  const request = (method, params = []) => {
    if (!devnet) throw new Error('there is no chain')
    return devnet.request({ method, params })
  }
  const accounts = /** @type {readonly string[]} */ (await request('eth_accounts'))
  await request('anvil_setCode', [contract, code])
  const word = (/** @type {number | string} */ value) =>
    (typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0')
  for (let sent = 0; sent < count; sent += inBlock) {
    const calls = []
    for (let i = sent; i < Math.min(sent + inBlock, count); i++) {
      const from = accounts[i % 10] ?? ''
      const common = { from, nonce: `0x${Math.floor(i / 10).toString(16)}`, gas: '0xea60', gasPrice: '0x77359400' }
      calls.push(
        i % 2 === 0
          ? { ...common, to: `0x${(0xa0_0000_0000 + i).toString(16).padStart(40, '0')}`, value: '0x1' }
          : { ...common, to: contract, data: `0x${word(i)}${word(accounts[(i * 7) % 10] ?? '0x0')}` },
      )
    }
    await Promise.all(calls.map((call) => request('eth_sendTransaction', [call])))
    await request('devnet_tick', [10])
  }
  const block = /** @type {{ number: string }} */ (await request('eth_getBlockByNumber', ['latest', false]))
  return Number(block.number)
}

/**
 * Runs in the page: opens a view as a link does, and waits for its rows, or until it says that there are none.
 *
 * @param {{ path: string, table: string }} view
 * @returns {Promise<number>} Milliseconds.
 */
async function openView({ path, table }) {
  const since = performance.now()
  const [place, query] = path.split('?')
  history.pushState(null, '', `${place}?${query ? `${query}&` : ''}storage=off&clock=manual`)
  dispatchEvent(new PopStateEvent('popstate'))
  // The live screen has a table of transactions, too.
  const isThere = () =>
    document.querySelector('main nav[aria-label="Lists"]') !== null &&
    (table
      ? document.querySelector(`table[aria-label="${table}"] tbody tr[data-row]`) !== null
      : [...document.querySelectorAll('main h2')].some(({ textContent }) => textContent?.startsWith('No such')))
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 2))
  return performance.now() - since
}

/** Runs in the page: leaves the lists. */
async function leave() {
  history.pushState(null, '', '/?storage=off&clock=manual')
  dispatchEvent(new PopStateEvent('popstate'))
  while (document.querySelector('[data-testid="block-canvas"]') === null)
    await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setTimeout(resolve, 300))
}

/** Runs in the page: presses the button below the list, each time that it can be pressed. @param {number} presses */
async function loadOlder(presses) {
  for (let i = 0; i < presses; i++) {
    const button = [...document.querySelectorAll('main button')].find(({ textContent }) =>
      /^Load (older|more)$/.test(textContent ?? ''),
    )
    if (!(button instanceof HTMLButtonElement)) break
    while (button.disabled && button.isConnected) await new Promise((resolve) => setTimeout(resolve, 5))
    button.click()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  const rows = document.querySelector('main table')?.getAttribute('aria-rowcount')
  return Number(rows) - 1
}

/**
 * Runs in the page: scrolls down at a steady pace, faster than a wheel that is turned quickly.
 *
 * @param {{ durationMs: number, pace: number }} wishes - `pace` in pixels a second.
 */
function scrollDown({ durationMs, pace }) {
  const since = performance.now()
  function step() {
    const passed = performance.now() - since
    if (passed >= durationMs) return
    scrollTo(0, (pace * passed) / 1_000)
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

const ms = (/** @type {number} */ value) => `${value.toFixed(1)} ms`

const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
const browser = await chromium.launch(chromiumLaunch())
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${server.resolvedUrls?.local[0]}?storage=off&clock=manual`)
  await page.waitForFunction(() => typeof devnet !== 'undefined')
  const head = await page.evaluate(fill, { count: TRANSACTIONS, inBlock: IN_BLOCK, emitter, code: EMITTER })
  console.log(
    `| ${TRANSACTIONS.toLocaleString('en-US')} transactions in ${head} blocks: a list | until its rows stand there: first | median of ${ROUNDS} more |`,
  )
  console.log('|---|---|---|')
  for (const [what, path, table] of VIEWS) {
    const times = []
    for (let round = 0; round <= ROUNDS; round++) {
      times.push(await page.evaluate(openView, { path, table }))
      await page.evaluate(leave)
    }
    console.log(`| ${what} | ${ms(times[0] ?? Number.NaN)} | ${ms(median(times.slice(1)))} |`)
  }
  console.log(
    `\n| scrolled at ${PACE.toLocaleString('en-US')} pixels a second | rows | frames: p50 | p95 | p99 | dropped | tasks over ${LONG_MS} ms of processor time | the page’s thread, a second |`,
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const [what, path, table] of SCROLLED) {
    await page.evaluate(openView, { path, table })
    const rows = await page.evaluate(loadOlder, PRESSES)
    const { result: frames, cost } = await watchPage(page, async () => {
      await page.evaluate(scrollDown, { durationMs: SCROLLED_MS, pace: PACE })
      return page.evaluate(measureFrames, SCROLLED_MS)
    })
    const { p50, p95, p99, dropped, due } = frameFigures(frames)
    const busy = Object.values(cost.parts).reduce((sum, part) => sum + part, 0)
    const long = cost.tasks.filter((task) => task.cpu > LONG_MS).length
    console.log(
      `| ${what} | ${rows} | ${ms(p50)} | ${ms(p95)} | ${ms(p99)} | ${dropped} of ${due} | ${long} | ${ms(busy)} |`,
    )
    await page.evaluate(leave)
  }
} finally {
  await browser.close()
  await new Promise((resolve) => server.httpServer.close(resolve))
}
