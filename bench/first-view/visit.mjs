import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { preview } from 'vite'
import { chromiumLaunch } from '../../scripts/browsers/chromium.mjs'

/** Milliseconds since the navigation began. @typedef {{ painted: number, running: number, sent: number }} FirstView */

/** How long Chromium is left alone before it goes to the page, in milliseconds: then it has started. */
const SETTLE_MS = 1_000
/** How long a visit may take, in milliseconds. */
const LIMIT_MS = 30_000

/**
 * Runs in the page: notes when the awaited elements appear, in the same task, presses the button at once, and reports
 * when that is answered.
 */
export function noteFirstView() {
  let running = Number.NaN
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, characterData: true })
  look()
  function look() {
    const header = document.querySelector('header')?.textContent ?? ''
    const block = document.querySelector('[aria-label="Pending block"]')?.textContent ?? ''
    if (
      Number.isNaN(running) &&
      /Live.*sealed:? (to )?#/.test(header) &&
      /partial block \d|\d of \d+ partial/.test(block)
    ) {
      const buttons = [...document.querySelectorAll('button')]
      const button = buttons.find(({ textContent }) => textContent?.startsWith('Send transaction'))
      if (!button) return
      running = performance.now()
      button.click()
    }
    if (Number.isNaN(running) || !/0\.0100 ETH from/.test(document.querySelector('main')?.textContent ?? '')) return
    observer.disconnect()
    const sent = performance.now()
    new PerformanceObserver((list, own) => {
      const painted = list.getEntriesByName('first-contentful-paint')[0]?.startTime
      if (painted === undefined) return
      own.disconnect()
      void fetch('first-view', { method: 'POST', body: JSON.stringify({ painted, running, sent }) })
    }).observe({ type: 'paint', buffered: true })
  }
}

/**
 * Serves a built page, with the script that reports in it.
 *
 * @param {import('vite').InlineConfig} config
 * @param {string} page - The page's file.
 */
export async function serveNoted(config, page) {
  /** @type {(view: FirstView) => void} */
  let report = () => {}
  /** @type {import('vite').Plugin} */
  const noting = {
    name: 'note-first-view',
    configurePreviewServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        // Files are sent as they are: compressing them anew for every visit would take this machine's time.
        delete request.headers['accept-encoding']
        if (request.url === '/first-view') {
          let body = ''
          request.on('data', (part) => {
            body += part
          })
          request.on('end', () => {
            response.end()
            report(JSON.parse(body))
          })
        } else if (request.url === '/note-first-view.js') {
          response.setHeader('Content-Type', 'text/javascript').end(`(${noteFirstView.toString()})()`)
        } else if (request.url === '/') {
          const noted = readFileSync(page, 'utf8').replace(
            '<title>',
            '<script async src="/note-first-view.js"></script><title>',
          )
          response.setHeader('Content-Type', 'text/html').end(noted)
        } else next()
      })
    },
  }
  const server = await preview({
    ...config,
    plugins: [noting],
    preview: { port: 0, host: '127.0.0.1' },
    logLevel: 'silent',
  })
  return {
    /** Opens the page as a first-time visitor. @returns {Promise<FirstView>} */
    visit: () =>
      visit(`${server.resolvedUrls?.local[0]}`, (done) => {
        report = done
      }),
    close: () => new Promise((resolve) => server.httpServer.close(resolve)),
  }
}

/**
 * Opens a page in a fresh profile, without a debugger: Playwright's, for one, has V8 parse each script a second time for
 * stack traces.
 *
 * @param {string} address
 * @param {(done: (view: FirstView) => void) => void} onReport
 * @returns {Promise<FirstView>}
 */
async function visit(address, onReport) {
  const { executablePath, args = [] } = chromiumLaunch()
  if (executablePath === undefined) throw new Error('there is no Chromium: node scripts/browsers/chromium.mjs')
  const profile = mkdtempSync(path.join(tmpdir(), 'blinknet-first-'))
  const start = `<script>setTimeout(() => location.replace(${JSON.stringify(address)}), ${SETTLE_MS})</script>`
  const chromium = spawn(
    executablePath,
    [
      ...args,
      '--headless',
      '--window-size=1440,900',
      `--user-data-dir=${profile}`,
      `data:text/html,${encodeURIComponent(start)}`,
    ],
    { stdio: 'ignore', detached: true },
  )
  const ended = new Promise((resolve) => chromium.once('close', resolve))
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let limit
  try {
    return await new Promise((resolve, reject) => {
      onReport(resolve)
      limit = setTimeout(() => reject(new Error(`${address} shows no running chain`)), LIMIT_MS)
      chromium.once('error', reject)
    })
  } finally {
    clearTimeout(limit)
    // Ends the browser's own processes, too.
    if (chromium.pid !== undefined) process.kill(-chromium.pid, 'SIGKILL')
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
