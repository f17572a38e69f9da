// Part of `npm run bench` that opens the page as a first-time visitor: from the start of the navigation until header
// and live block show a running chain, and until the first transaction is accepted. Each time in a fresh profile,
// without a service worker, caches or a debugger; in turns with three pages that show the same texts and run no chain.
// What they take, no page can save. Needs `npm run build`. Usage: first-view.mjs [--beside FOLDER], which visits the page of
// another build in turns with this one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { serveNoted } from './first-view/visit.mjs'

const PROFILES = 9
const FLOORS = /** @type {const} */ (['text', 'react', 'worker'])
const FLOORS_AT = path.join(import.meta.dirname, 'first-view/floors')

const { values: options } = parseArgs({ options: { beside: { type: 'string' } } })

const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-floors-'))
try {
  await build({
    configFile: false,
    root: FLOORS_AT,
    logLevel: 'silent',
    worker: { format: 'es' },
    build: {
      outDir: folder,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: FLOORS.map((name) => path.join(FLOORS_AT, `${name}.html`)) },
    },
  })
  const own = await serveNoted({}, 'dist/page/index.html')
  const floors = await Promise.all(
    FLOORS.map((name) =>
      serveNoted({ configFile: false, build: { outDir: folder } }, path.join(folder, `${name}.html`)),
    ),
  )
  const other =
    options.beside === undefined
      ? []
      : [
          await serveNoted(
            { configFile: false, build: { outDir: path.resolve(options.beside) } },
            path.resolve(options.beside, 'index.html'),
          ),
        ]
  const pages = [own, ...floors, ...other]
  /** @type {import('./first-view/visit.mjs').FirstView[][]} */
  const views = pages.map(() => [])
  for (let i = 0; i < PROFILES; i++) for (const [at, page] of pages.entries()) views[at]?.push(await page.visit())
  for (const page of pages) await page.close()

  const [page = [], text = [], react = [], worker = [], beside] = views
  console.log(`| first view in ${PROFILES} fresh profiles, since the navigation | median | worst |`)
  console.log('|---|---|---|')
  row('first text', page, 'painted')
  row('header and live block show the chain that runs', page, 'running')
  row('the first press of Send transaction is answered', page, 'sent')
  if (beside) {
    row(`the build beside it (${options.beside}): first text`, beside, 'painted')
    row('its header and live block show the chain that runs', beside, 'running')
    row('its first press is answered', beside, 'sent')
  }
  row('floor: a page of one script shows such a text', text, 'running')
  row('floor: React does', react, 'running')
  row('floor: React does when a worker has answered twice', worker, 'running')
  row('floor: and has answered a press', worker, 'sent')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * @param {string} what
 * @param {readonly import('./first-view/visit.mjs').FirstView[]} views
 * @param {keyof import('./first-view/visit.mjs').FirstView} time
 */
function row(what, views, time) {
  const sorted = views.map((view) => view[time]).toSorted((a, b) => a - b)
  const [median, worst] = [sorted[sorted.length >> 1], sorted.at(-1)].map((ms) => `${Math.round(ms ?? Number.NaN)} ms`)
  console.log(`| ${what} | ${median} | ${worst} |`)
}
