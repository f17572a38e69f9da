// Part of `npm run bench` that measures the page itself: its frame times, tasks over 50 ms, and how its thread spends its
// time, when idle, under a load, and with thousands of transactions in the live block. Needs `npm run build`. Headless
// Chromium has no graphics card and draws on the same processor that runs everything else, so the CPU time of the page's
// own thread says more about the page than the frames do. It then measures frames per second in those of Chromium,
// Firefox and WebKit that are installed; `node bench/frames.mjs webkit` measures only this part.
import { chromium } from '@playwright/test'
import { preview } from 'vite'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'
import { measureEngineFrames } from './frames/engines.mjs'
import { frameFigures, measureFrames } from './frames/measure-frames.mjs'
import { watchPage } from './frames/page-trace.mjs'

/** Blocks of 60 s, so that one of them gets thousands of transactions and keeps them for a while. */
const ADDRESS = 'storage=off&partials=100&partialMs=600&gasLimit=4000000000'
const RATE = 500
const TRANSACTIONS = 5_000
const MEASURED_MS = 8_000
const GIVEN_UP_MS = 40_000
const LONG_MS = 50

/**
 * @typedef {{ devnet?: { ready: Promise<void> } }} PageWindow
 * @typedef {import('./frames/page-trace.mjs').PageCost} PageCost
 */

/** @type {{ what: string, frames: number[], cost: PageCost }[]} */
const measured = []

function report() {
  const ms = (/** @type {number} */ value) => `${value.toFixed(1)} ms`
  console.log(
    '| the live screen, frames | p50 | p95 | p99 | dropped | tasks over 50 ms | by processor time | longest |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const { what, frames, cost } of measured) {
    const { p50, p95, p99, dropped, due } = frameFigures(frames)
    const long = (/** @type {'wall' | 'cpu'} */ by) => cost.tasks.filter((task) => task[by] > LONG_MS).length
    const longest = (/** @type {'wall' | 'cpu'} */ by) => ms(Math.max(0, ...cost.tasks.map((task) => task[by])))
    console.log(
      `| ${what} | ${ms(p50)} | ${ms(p95)} | ${ms(p99)} | ${dropped} of ${due} | ${long('wall')} | ` +
        `${long('cpu')} | ${longest('wall')}, ${longest('cpu')} by processor time |`,
    )
  }
  console.log(
    '\n| processor time, ms a second | page: script | layout | paint | rest | workers, raster | Chromium’s others | other programs |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const { what, cost } of measured) {
    const { script, layout, paint, rest } = cost.parts
    const { renderer = 0, ...processes } = cost.processes
    const elsewhere = Object.values(processes).reduce((sum, value) => sum + value, 0)
    const columns = [script, layout, paint, rest, renderer - script - layout - paint - rest, elsewhere, cost.others]
    console.log(`| ${[what, ...columns.map((value) => Math.round(value))].join(' | ')} |`)
  }
}

const ENGINES = /** @type {const} */ (['chromium', 'firefox', 'webkit'])
const ENGINE_CASES = [
  { what: 'at rest', query: 'storage=off' },
  { what: 'a load of 200 a second', query: 'storage=off&load=200' },
]

/** @param {string} base @param {readonly (typeof ENGINES)[number][]} names */
async function reportEngines(base, names) {
  console.log(
    '\n| the live screen | frames a second | processor time, ms a second: page | painting without a graphics card | rest |',
  )
  console.log('|---|---|---|---|---|')
  for (const name of names) {
    const all = await measureEngineFrames(name, base, ENGINE_CASES)
    if (!all) console.log(`| ${name}: not installed, see npm run test:engines | | | | |`)
    for (const { engine, what, fps, page, painting, rest } of all ?? []) {
      const columns = [fps, page, painting, rest].map((value) => Math.round(value))
      console.log(`| ${[`${engine}, ${what}`, ...columns].join(' | ')} |`)
    }
  }
}

/** @param {string} base */
async function reportChromium(base) {
  const browser = await chromium.launch(chromiumLaunch())
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const count = async () => Number(await page.getByTestId('block-canvas').getAttribute('data-tx-count'))
    /** @param {string} what */
    async function measure(what) {
      const { result: frames, cost } = await watchPage(page, () => page.evaluate(measureFrames, MEASURED_MS))
      measured.push({ what, frames, cost })
    }
    /** @param {string} address */
    async function open(address) {
      await page.goto(`${base}?${address}`)
      await page.waitForFunction(
        () => /** @type {PageWindow} */ (/** @type {unknown} */ (globalThis)).devnet !== undefined,
      )
      await page.waitForTimeout(2_000)
    }
    await open('storage=off')
    await measure('a chain at rest')
    await open(`${ADDRESS}&load=${RATE}`)
    await measure(`a load of ${RATE} a second`)
    const givenUpAt = Date.now() + GIVEN_UP_MS
    for (let before = 0, now = await count(); now < TRANSACTIONS; before = now, now = await count()) {
      if (now < before || Date.now() > givenUpAt) throw new Error(`the live block had ${before} transactions at most`)
      await page.waitForTimeout(100)
    }
    await measure(`the same, from ${await count()} in the live block on`)
    await page.getByRole('button', { name: 'Stop load' }).click()
    await page.waitForTimeout(1_000)
    await measure(`${await count()} in the live block, no load`)
    report()
  } finally {
    await browser.close()
  }
}

const wanted = ENGINES.filter((name) => process.argv.includes(name))
const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
try {
  const base = server.resolvedUrls?.local[0] ?? ''
  if (wanted.length === 0) await reportChromium(base)
  await reportEngines(base, wanted.length === 0 ? ENGINES : wanted)
} finally {
  await new Promise((resolve) => server.httpServer.close(resolve))
}
