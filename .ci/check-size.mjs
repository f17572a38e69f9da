// What a visitor downloads stays within a budget. Sizes are bytes after gzip; budgets stand about 10% above the last change.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

/** kB (1,000 bytes), gzip. */
const BUDGET_KB = {
  page: 170,
  'rpc console': 16,
  send: 25,
  worker: 345,
  openrpc: 19.5,
  'service worker': 10.5,
  'wallet script': 2.3,
  styles: 8,
}

const root = 'dist/page'
const assets = path.join(root, 'assets')
const html = readFileSync(path.join(root, 'index.html'), 'utf8')

/** @param {string} file */
const gzipped = (file) => gzipSync(readFileSync(file), { level: 9 }).byteLength
/** @param {readonly string[]} files */
const total = (files) => files.reduce((sum, file) => sum + gzipped(file), 0)

/** Files that index.html loads at once. @param {RegExp} pattern */
function loadedBy(pattern) {
  return [...html.matchAll(pattern)].map(([, url]) => path.join(root, /** @type {string} */ (url)))
}

/** Files that others load, by their names. @param {RegExp} pattern */
function assetsNamed(pattern) {
  return readdirSync(assets)
    .filter((file) => pattern.test(file))
    .map((file) => path.join(assets, file))
}

const files = {
  page: loadedBy(/<(?:script|link)[^>]+(?:src|href)="([^"]+\.js)"/g),
  // Screens that load when they are opened.
  'rpc console': assetsNamed(/^RpcConsoleScreen.*\.js$/),
  // The screen at /send: the page loads it when it is visited.
  send: assetsNamed(/^SendScreen.*\.js$/),
  worker: assetsNamed(/worker.*\.js$/),
  // What `rpc_discover` answers: the worker loads it when it is asked for it.
  openrpc: assetsNamed(/^openrpc.*\.js$/),
  'service worker': [path.join(root, 'sw.js')],
  'wallet script': [path.join(root, 'wallet.js')],
  styles: loadedBy(/<link[^>]+href="([^"]+\.css)"/g),
}

for (const [what, budgetKb] of Object.entries(BUDGET_KB)) {
  const measured = files[/** @type {keyof typeof files} */ (what)]
  if (measured.length === 0) throw new Error(`${root} has no ${what}: the check would measure nothing`)
  const kb = total(measured) / 1000
  const within = kb <= budgetKb
  console.log(`${within ? 'ok    ' : 'TOO BIG'} ${what.padEnd(14)} ${kb.toFixed(1)} kB of ${budgetKb} kB gzip`)
  if (!within) process.exitCode = 1
}
