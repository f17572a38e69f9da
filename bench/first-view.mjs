// Part of `npm run bench` that opens the page as a first-time visitor: from the start of the navigation until header
// and live block show a running chain, and until the first transaction is accepted. Each time in a fresh profile,
// without a service worker or caches. Needs `npm run build`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { preview } from 'vite'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'

const PROFILES = 9

/** Milliseconds since the navigation began. @typedef {{ painted: number, running: number, sent: number }} FirstView */

/**
 * Runs in the page before its scripts: records when the awaited elements appear, in the same task, and presses the
 * button at once.
 */
function noteFirstView() {
  /** @type {{ running?: number, sent?: number }} */
  const seen = {}
  Object.assign(globalThis, { firstView: seen })
  const observer = new MutationObserver(() => {
    const header = document.querySelector('header')?.textContent ?? ''
    const block = document.querySelector('[aria-label="Pending block"]')?.textContent ?? ''
    if (seen.running === undefined && /Live.*sealed to #/.test(header) && /partial block \d/.test(block)) {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
        textContent?.startsWith('Send transaction'),
      )
      if (!button) return
      seen.running = performance.now()
      button.click()
    }
    const last = document.querySelector('main')?.textContent ?? ''
    if (seen.running !== undefined && /0\.0100 ETH from/.test(last)) {
      seen.sent = performance.now()
      observer.disconnect()
    }
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
}

/** @param {string} address @returns {Promise<FirstView>} */
async function visit(address) {
  const profile = mkdtempSync(path.join(tmpdir(), 'blinknet-first-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...chromiumLaunch(),
    viewport: { width: 1440, height: 900 },
  })
  try {
    const [page] = context.pages()
    if (!page) throw new Error('a new profile has one page')
    await page.addInitScript(noteFirstView)
    await page.goto(address)
    const seen = await page.waitForFunction(() => {
      const { firstView } = /** @type {{ firstView?: Omit<FirstView, 'painted'> }} */ (
        /** @type {unknown} */ (globalThis)
      )
      return firstView?.sent !== undefined && firstView
    })
    const { running, sent } = /** @type {Omit<FirstView, 'painted'>} */ (await seen.jsonValue())
    const painted = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    return { painted, running, sent }
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
try {
  const address = `${server.resolvedUrls?.local[0]}`
  /** @type {FirstView[]} */
  const views = []
  for (let i = 0; i < PROFILES; i++) views.push(await visit(address))
  console.log(`| first view in ${PROFILES} fresh profiles, since the navigation | median | worst |`)
  console.log('|---|---|---|')
  const row = (/** @type {string} */ what, /** @type {number[]} */ times) => {
    const sorted = times.toSorted((a, b) => a - b)
    console.log(
      `| ${what} | ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms | ${Math.round(sorted.at(-1) ?? 0)} ms |`,
    )
  }
  row(
    'first text',
    views.map(({ painted }) => painted),
  )
  row(
    'header and live block show the chain that runs',
    views.map(({ running }) => running),
  )
  row(
    'the first press of Send transaction is answered',
    views.map(({ sent }) => sent),
  )
} finally {
  await new Promise((resolve) => server.httpServer.close(resolve))
}
