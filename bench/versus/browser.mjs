import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { preview } from 'vite'
import { chromiumLaunch } from '../../scripts/browsers/chromium.mjs'
import { bodyOf, portions, submission } from './chains.mjs'
import { pagesMs } from './processor-time.mjs'

const ASSETS = path.resolve(import.meta.dirname, '../../dist/page/assets')
const SCRIPTS = readdirSync(ASSETS).filter((file) => file.endsWith('.js'))

/** The address of a service worker on the empty page’s host. */
export const CONSTANT_WORKER = '/constant-worker.js'
/** A service worker that reads each request for `/constant` and answers with a constant: the floor of what a page gets by `fetch`. */
const CONSTANT_ANSWERS = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname !== '/constant') return
  const answer = new Response('{"jsonrpc":"2.0","id":1,"result":"0x1"}', { headers: { 'Content-Type': 'application/json' } })
  event.respondWith(event.request.text().then(() => answer))
})
`

/** @typedef {Awaited<ReturnType<typeof startBrowser>>} Host */

/**
 * The port that {@link openWorker} creates in a page.
 *
 * @typedef {object} WorkerPort
 * @property {(body: string) => Promise<string>} send
 * @property {(body: string) => void} hear - Called with each notification.
 */

/**
 * Starts Chromium and serves the built page as usual, and an empty page that has the build's scripts without its
 * policy, so that tests can talk to the node's worker directly and fetch from other chains.
 */
export async function startBrowser() {
  const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
  const plain = createServer((request, response) => {
    if (request.url === CONSTANT_WORKER) {
      response.setHeader('Content-Type', 'text/javascript')
      response.end(CONSTANT_ANSWERS)
      return
    }
    const script = SCRIPTS.find((file) => request.url === `/assets/${file}`)
    response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script === undefined ? '<!doctype html>' : readFileSync(path.join(ASSETS, script)))
  })
  await new Promise((resolve) => plain.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = plain.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const browser = await chromium.launch(chromiumLaunch())
  return {
    /** Address of the page. */
    base: server.resolvedUrls?.local[0] ?? '',
    /** Address of the empty page. */
    plain: `http://127.0.0.1:${address.port}/`,
    browser,
    async stop() {
      await browser.close()
      await new Promise((resolve) => server.httpServer.close(resolve))
      await new Promise((resolve) => plain.close(resolve))
    },
  }
}

/**
 * The node in its worker, asked over its port as the page does, with nothing beside it in the page.
 *
 * @param {Host} host
 * @param {'manual' | 'auto'} [mode] - Of the clock.
 * @returns {Promise<import('./chains.mjs').Chain & { port: import('@playwright/test').JSHandle<WorkerPort> }>}
 */
export async function openWorker({ browser, plain }, mode = 'manual') {
  const script = SCRIPTS.find((file) => file.startsWith('node-worker-'))
  if (script === undefined) throw new Error('the build has no worker')
  const page = await browser.newPage()
  await page.goto(plain)
  const port = await page.evaluateHandle(
    ({ source, options }) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(source, { type: 'module' })
        /** @type {Map<number, (body: string) => void>} */
        const waiting = new Map()
        let last = 0
        /** @type {unknown[]} */
        let gathered = []
        const flush = () => {
          if (gathered.length > 0) worker.postMessage(gathered.length === 1 ? gathered[0] : gathered)
          gathered = []
        }
        /** What one task posts comes in messages of up to 32: see src/transport/port/gather-port.ts. @param {unknown} message */
        const post = (message) => {
          const count = gathered.push(message)
          if (count === 1) queueMicrotask(flush)
          if (count === 32) flush()
        }
        /** @type {WorkerPort} */
        const ends = {
          send: (body) =>
            new Promise((answered) => {
              last += 1
              waiting.set(last, answered)
              post({ kind: 'rpc', id: last, body })
            }),
          hear: () => {},
        }
        // What the worker posts comes in messages of several, too.
        worker.onmessage = ({ data: posted }) => {
          for (const data of Array.isArray(posted) ? posted : [posted]) {
            if (data.kind === 'ready') worker.postMessage({ kind: 'boot', protocol: data.protocol, options })
            if (data.kind === 'booted') resolve(ends)
            if (data.kind === 'failed') reject(new Error(data.message))
            if (data.kind === 'rpc') {
              waiting.get(data.id)?.(data.body)
              waiting.delete(data.id)
            }
            if (data.kind === 'notification') {
              post({ kind: 'read', characters: data.body.length })
              ends.hear(data.body)
            }
          }
        }
      }),
    { source: `assets/${script}`, options: { mode, engine: 'wasm' } },
  )
  const node = /** @type {import('@playwright/test').JSHandle<WorkerPort>} */ (port)
  return {
    name: 'worker',
    pid: undefined,
    url: undefined,
    port: node,
    async call(method, params = []) {
      const answer = await node.evaluate(({ send }, body) => send(body), JSON.stringify(bodyOf(method, params)))
      const { result, error } = JSON.parse(answer)
      if (error) throw new Error(`worker, ${method}: ${error.code} ${error.message}`)
      return result
    },
    submit: (lanes, size) =>
      node.evaluate(
        async ({ send }, bodies) => {
          const began = performance.now()
          await Promise.all(
            bodies.map(async (lane) => {
              for (const body of lane) {
                const answer = await send(body)
                if (answer.includes('"error"')) throw new Error(answer.slice(0, 500))
              }
            }),
          )
          return performance.now() - began
        },
        lanes.map((lane) => portions(lane, size).map(submission)),
      ),
    time: (method, params, rounds, perRound) =>
      node.evaluate(
        async ({ send }, { body, howOften, each }) => {
          const all = []
          for (let round = 0; round < howOften; round++) {
            const began = performance.now()
            for (let i = 0; i < each; i++) await send(body)
            all.push((performance.now() - began) / each)
          }
          return all
        },
        { body: JSON.stringify(bodyOf(method, params)), howOften: rounds, each: perRound },
      ),
    processorMs: () => pagesMs(browser),
    stop: () => page.close(),
  }
}

/** The page, once its chain answers. @param {Host} host @param {string} query */
export async function openPage({ base, browser }, query) {
  const page = await browser.newPage()
  await page.goto(`${base}?engine=wasm&${query}`)
  await page.waitForFunction(() => devnet !== undefined)
  await page.evaluate(() => devnet?.request({ method: 'eth_blockNumber' }))
  return page
}
