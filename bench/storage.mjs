// Part of `npm run bench` that needs a browser: the time until a transaction is acknowledged with and without the
// journal, the time to open a chain again, the gap when its tab closes, and its disk space. Needs `npm run build`.
// Medians; compare only within one run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { preview } from 'vite'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'
import { rpc, startServer } from '../scripts/server.mjs'
import { signedTransfers } from './transfers.mjs'

const SENDER = `0x${'ab'.repeat(20)}`
const ACKNOWLEDGEMENTS = 300
const FAIL_OVERS = 10
const REOPENINGS = 5
/** Chain lengths, in blocks of ten transfers. */
const CHAINS = [100, 1_000, 10_000]

/** @typedef {import('@playwright/test').Page} Page */

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

const ms = (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`

/**
 * Chains with ten transfers per block, as files for the page's import, made by the server on a manual clock.
 *
 * @param {readonly number[]} lengths - Blocks, ascending.
 * @returns {AsyncGenerator<{ blocks: number, file: string }>}
 */
async function* chains(lengths) {
  const server = await startServer(['--clock', 'manual', '--log', 'error'])
  try {
    await rpc(server.url, 'devnet_faucet', [SENDER, `0x${(10n ** 26n).toString(16)}`])
    await rpc(server.url, 'anvil_impersonateAccount', [SENDER])
    let nonce = 0
    let built = 0
    for (const blocks of lengths) {
      for (; built < blocks; built++) {
        const batch = Array.from({ length: 10 }, () => {
          const to = `0x${(nonce * 7919 + 1).toString(16).padStart(40, '0')}`
          const call = { from: SENDER, to, value: '0x1', gas: '0x5208', gasPrice: '0x4a817c800' }
          return {
            jsonrpc: '2.0',
            id: nonce,
            method: 'eth_sendTransaction',
            params: [{ ...call, nonce: `0x${(nonce++).toString(16)}` }],
          }
        })
        await fetch(server.url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify([...batch, { jsonrpc: '2.0', id: -1, method: 'anvil_mine', params: ['0x1'] }]),
        })
      }
      yield { blocks, file: await rpc(server.url, 'devnet_exportChain') }
    }
  } finally {
    await server.stop()
  }
}

const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
const base = server.resolvedUrls?.local[0]
const profile = mkdtempSync(path.join(tmpdir(), 'blinknet-bench-'))
const context = await chromium.launchPersistentContext(profile, chromiumLaunch())

/** Opens a tab with a chain, without waiting for its node. @param {string} query */
async function open(query) {
  const page = await context.newPage()
  await page.goto(`${base}?${query}`)
  await page.waitForFunction(() => devnet !== undefined)
  return page
}

/**
 * The answer of the page's chain and its times: milliseconds since the call, and since the page's address was opened.
 *
 * @param {Page} page
 * @param {string} method
 * @param {readonly unknown[]} [params]
 * @returns {Promise<{ result: any, waited: number, sinceOpened: number }>}
 */
function ask(page, method, params = []) {
  return page.evaluate(
    async (request) => {
      const began = performance.now()
      const result = await devnet?.request(request)
      const ended = performance.now()
      return { result, waited: ended - began, sinceOpened: ended }
    },
    { method, params },
  )
}

/** @param {string} query */
async function acknowledgements(query) {
  const page = await open(query)
  await ask(page, 'eth_blockNumber')
  const times = []
  for (const raw of await signedTransfers()(ACKNOWLEDGEMENTS)) {
    times.push((await ask(page, 'eth_sendRawTransaction', [raw])).waited)
  }
  await page.close()
  return times
}

async function failOvers() {
  const gaps = []
  let leader = await open('chain=gap')
  await ask(leader, 'eth_blockNumber')
  for (let i = 0; i < FAIL_OVERS; i++) {
    const follower = await open('chain=gap')
    await ask(follower, 'eth_blockNumber')
    const began = performance.now()
    await leader.close()
    await ask(follower, 'eth_blockNumber')
    gaps.push(performance.now() - began)
    leader = follower
  }
  await leader.close()
  return gaps
}

/** @param {string} file */
async function reopenings(file) {
  const query = 'chain=long&clock=manual'
  const first = await open(query)
  await ask(first, 'devnet_importChain', [file])
  await first.close()
  const times = []
  let usedBytes = 0
  for (let i = 0; i < REOPENINGS; i++) {
    const page = await open(query)
    times.push((await ask(page, 'eth_getBalance', [SENDER, 'latest'])).sinceOpened)
    usedBytes = (await ask(page, 'devnet_getStorage')).result.usedBytes
    await page.close()
  }
  return { times, usedBytes }
}

try {
  console.log('| measured in the page | median | worst |')
  console.log('|---|---|---|')
  const row = (/** @type {string} */ what, /** @type {number[]} */ times) =>
    console.log(`| ${what} | ${ms(median(times))} | ${ms(Math.max(...times))} |`)
  row('acknowledgement, in memory', await acknowledgements('storage=off'))
  row('acknowledgement, journal', await acknowledgements('chain=ack'))
  row('tab closed → the next one answers', await failOvers())
  for await (const { blocks, file } of chains(CHAINS)) {
    const { times, usedBytes } = await reopenings(file)
    row(`address opened → first answer, ${blocks} blocks with ${10 * blocks} transactions`, times)
    console.log(`| storage of these, a transaction | ${Math.round(usedBytes / (10 * blocks))} bytes | |`)
  }
} finally {
  await context.close()
  await new Promise((resolve) => server.httpServer.close(resolve))
  rmSync(profile, { recursive: true, force: true })
}
