// Part of `npm run bench` that opens the page's debugger on a run of a million steps, with its source: the time until it
// shows the run and until it shows the source, and for each kind of move the longest task of the page's thread. Needs
// `npm run build`.
import { chromium } from '@playwright/test'
import { preview } from 'vite'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'
import { watchPage } from './frames/page-trace.mjs'

/** With `ROUNDS` rounds 1,054,051 steps: functions in functions, and now and then a call, a write and a log. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Inner {
    uint256 public sum;

    function add(uint256 n) external returns (uint256) {
        sum += n;
        return sum;
    }
}

contract Bench {
    Inner private inner = new Inner();
    uint256 public total;
    event Round(uint256 total);

    function run(uint256 rounds) external {
        for (uint256 i = 0; i < rounds; i++) {
            total += work(i);
            if (i % 50 == 0) emit Round(inner.add(i));
        }
    }

    function work(uint256 n) private pure returns (uint256 sum) {
        for (uint256 i = 0; i < 50; i++) sum += twice(n + i);
    }

    function twice(uint256 n) private pure returns (uint256) {
        return 2 * n;
    }
}
`
const ROUNDS = 220
/** Presses of each button. */
const PRESSES = 10
const BUTTONS = [
  ...['Step into', 'Step over', 'Next storage write', 'Next log', 'Back into', 'Back over'],
  ...['Step out', 'Back out', 'To the end', 'To the start'],
]
/** Milliseconds after which nothing is kept of a run that is not shown. */
const FORGOTTEN_MS = 32_000

/** Runs the contract in the page, and opens the screen of the transaction. @param {import('@playwright/test').Page} page */
async function execute(page) {
  await page.getByRole('textbox', { name: 'Solidity source' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(SOURCE)
  await page.getByRole('button', { name: 'Compile', exact: true }).click()
  await page.getByRole('button', { name: 'Deploy Bench' }).click({ timeout: 120_000 })
  const run = page.getByRole('article', { name: 'run' })
  await run.getByRole('textbox').fill(String(ROUNDS))
  await run.getByRole('button', { name: 'Send run' }).click()
  await run.getByRole('link', { name: /^0x/ }).click()
}

/**
 * Opens the debugger from the transaction's screen.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} what - A selector of what there is to wait for.
 */
async function open(page, what) {
  await page.getByRole('link', { name: 'Debug step by step' }).waitFor()
  const { result, cost } = await watchPage(page, () =>
    page.evaluate(async (awaited) => {
      const since = performance.now()
      const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Debug step by step')
      link?.click()
      while (!document.querySelector(awaited)) await new Promise((resolve) => setTimeout(resolve, 5))
      return performance.now() - since
    }, what),
  )
  const renderer = ((cost.processes['renderer'] ?? 0) * result) / 1_000
  return { wall: result, cpu: renderer, longest: Math.max(0, ...cost.tasks.map(({ cpu }) => cpu)) }
}

/**
 * Presses a button of the debugger, and waits each time for the step and what the node says of it. In the page, as
 * Playwright's own searches would be among its tasks.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} name
 */
async function press(page, name) {
  const { result: presses, cost } = await watchPage(page, () =>
    page.evaluate(
      async ([label, most]) => {
        const button = document.querySelector(`button[aria-label="${label}"]`)
        if (!(button instanceof HTMLButtonElement)) throw new Error(`no button ${label}`)
        const slider = document.querySelector('input[aria-label=Step]')
        let count = 0
        for (; count < most && !button.disabled; count++) {
          const before = slider?.getAttribute('aria-valuetext')
          button.click()
          while (slider?.getAttribute('aria-valuetext') === before) await new Promise((resolve) => setTimeout(resolve))
          await new Promise((resolve) => setTimeout(resolve, 400))
        }
        return count
      },
      /** @type {const} */ ([name, PRESSES]),
    ),
  )
  const tasks = cost.tasks.map(({ cpu }) => cpu).toSorted((a, b) => b - a)
  return { presses, typical: tasks[presses >> 1] ?? 0, longest: tasks[0] ?? 0 }
}

const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
const browser = await chromium.launch(chromiumLaunch())
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(120_000)
  await page.goto(`${server.resolvedUrls?.local[0]}contracts?storage=off`)
  await execute(page)
  const ms = (/** @type {number} */ value) => `${value.toFixed(1)} ms`
  console.log(
    '| a run of 1,054,051 steps | | by processor time, workers included | longest task of the page’s thread |',
  )
  console.log('|---|---|---|---|')
  const awaited = { 'is open': 'input[aria-label=Step]', 'shows its source': '[aria-label^="Source "] [aria-current]' }
  for (const [what, selector] of Object.entries(awaited)) {
    const { wall, cpu, longest } = await open(page, selector)
    console.log(`| ${what} | ${ms(wall)} | ${ms(cpu)} | ${ms(longest)} |`)
    if (what !== 'is open') break
    await page.getByRole('link', { name: /^Transaction 0x/ }).click()
    await page.waitForTimeout(FORGOTTEN_MS)
  }
  console.log('\n| a move in it, by processor time | presses | longest task: median | longest |')
  console.log('|---|---|---|---|')
  for (const reading of ['Source', 'Instructions']) {
    await page.getByText(reading, { exact: true }).click()
    for (const name of BUTTONS) {
      const { presses, typical, longest } = await press(page, name)
      console.log(`| ${reading}: ${name} | ${presses} | ${ms(typical)} | ${ms(longest)} |`)
    }
  }
} finally {
  await browser.close()
  await new Promise((resolve) => server.httpServer.close(resolve))
}
