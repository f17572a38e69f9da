// `npm run pictures`: the pictures of the README and of docs/page.md, and the short film of a pre-confirmation. Needs
// `npm run build:page`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { decode } from 'fast-png'
import gifenc from 'gifenc'
import { preview } from 'vite'
import { chromiumLaunch } from './browsers/chromium.mjs'

const FOLDER = '.github'
/** Size of the film, which shows a transaction from before it is sent until its block is sealed. */
const FILM = { width: 1200, height: 720 }
const FRAME_MS = 100
const FILM_MS = 4_500
const SENT_AT_MS = 700
/** How long the last frame is shown. */
const LAST_FRAME_MS = 2_000
const COLOURS = 127
const GROWN_MS = 500

/** @typedef {import('@playwright/test').Page} Page */

mkdirSync(FOLDER, { recursive: true })
const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
const base = server.resolvedUrls?.local[0]
const browser = await chromium.launch(chromiumLaunch())

/** @param {{ width: number, height: number }} viewport @param {string} query */
async function open(viewport, query) {
  const page = await browser.newPage({ viewport, colorScheme: 'dark' })
  await page.goto(`${base}?storage=off&seed=42&${query}`)
  await page.waitForFunction(() => devnet !== undefined)
  await ask(page, 'eth_blockNumber')
  return page
}

/** @param {Page} page */
const sendButton = (page) => page.getByRole('button', { name: 'Send transaction', exact: true })

/** Takes a picture of the live chain under a load, with both times of an own transaction. */
async function takePicture() {
  const page = await open({ width: 1440, height: 900 }, 'load=40')
  await page.getByRole('button', { name: 'No, thanks' }).click()
  await page.waitForTimeout(5_000)
  await sendEarly(page)
  await page.getByText(/^Known .+ before the seal/).waitFor()
  // Late in a block it is full, and nothing flies.
  await nextSeal(page)
  await page.waitForTimeout(1_400)
  await page.screenshot({ path: `${FOLDER}/screenshot.png` })
  await page.close()
}

/** @param {Page} page */
async function nextSeal(page) {
  const before = await ask(page, 'eth_blockNumber')
  while ((await ask(page, 'eth_blockNumber')) === before) await page.waitForTimeout(20)
}

/** Sends a transaction early in a block: then the seal is far away. @param {Page} page */
async function sendEarly(page) {
  await nextSeal(page)
  await page.waitForTimeout(150)
  await sendButton(page).click()
}

/** The compiler has to be loaded. */
const COMPILED_MS = 120_000

/** Takes pictures of a contract's way: written, called, its gas by line, debugged. */
async function takeWorkbench() {
  const page = await open({ width: 1440, height: 900 }, 'clock=manual')
  /** @param {string} name */
  const shoot = async (name) => {
    await page.mouse.move(0, 0)
    await page.waitForTimeout(GROWN_MS)
    await page.screenshot({ path: `${FOLDER}/${name}.png` })
  }
  const tickWith = async () => {
    while ((await ask(page, 'txpool_status')).pending !== '0x1') await page.waitForTimeout(20)
    await ask(page, 'devnet_tick')
  }
  const bid = page.getByRole('article', { name: 'bid', exact: true })
  /** @param {string} eth */
  const place = async (eth) => {
    await bid.getByLabel('Amount in ETH').fill(eth)
    await page.getByRole('button', { name: 'Send bid' }).click()
  }
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Contracts' }).click()
  await page.getByLabel('Project or example').selectOption('Auction')
  await page.getByRole('button', { name: 'Compile', exact: true }).click()
  await page.getByRole('button', { name: 'Deploy Auction' }).click({ timeout: COMPILED_MS })
  await tickWith()
  await place('1')
  await tickWith()
  await place('2')
  await tickWith()
  await place('1.5')
  await bid.getByRole('list', { name: 'Stack trace, innermost first' }).waitFor()
  await shoot('contracts')

  const count = await ask(page, 'eth_getBlockTransactionCountByNumber', ['pending'])
  const bidden = await ask(page, 'eth_getTransactionByBlockNumberAndIndex', [
    'pending',
    `0x${(Number(count) - 1).toString(16)}`,
  ])
  await page.evaluate((hash) => history.pushState(null, '', `/tx/${hash}?storage=off&clock=manual`), bidden.hash)
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await page.getByRole('heading', { level: 1, name: 'Transaction' }).waitFor()
  await ask(page, 'devnet_tick', [10])
  await page.getByText('Sealed', { exact: true }).first().waitFor()
  await page.getByRole('tab', { name: 'Receipt' }).click()
  await shoot('receipt')
  await page.getByRole('tab', { name: 'Gas' }).click()
  await page.getByText('Gas by line').evaluate((title) => scrollTo(0, title.getBoundingClientRect().top + scrollY - 90))
  await shoot('gas')
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('link', { name: 'Debug step by step' }).click()
  await page.getByRole('heading', { level: 1, name: 'Debugger' }).waitFor()
  await page.getByRole('region', { name: 'Run' }).getByRole('status').getByText(/^Step/).waitFor()
  for (let line = 0; line < 7; line++) await page.keyboard.press('n')
  await shoot('debugger')
  await page.close()
}

/** Takes a picture of the stage with a running load, and of the list of transactions that it leaves. */
async function takeStage() {
  const stage = await open({ width: 1920, height: 1080 }, 'view=projector&load=60')
  await stage.waitForTimeout(5_000)
  await sendEarly(stage)
  await stage.getByText(/^Known .+ before the seal/).waitFor()
  await stage.waitForTimeout(1_400)
  await stage.screenshot({ path: `${FOLDER}/stage.png` })
  await stage.close()
  const lists = await open({ width: 1440, height: 900 }, 'load=60')
  await lists.waitForTimeout(5_000)
  await lists.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Explore' }).click()
  await lists.getByRole('table', { name: 'Blocks' }).waitFor()
  await lists.waitForTimeout(GROWN_MS)
  await lists.screenshot({ path: `${FOLDER}/explorer.png` })
  await lists.close()
}

/** @param {Page} page @param {string} method @param {readonly unknown[]} [params] @returns {Promise<any>} */
function ask(page, method, params = []) {
  return page.evaluate((call) => devnet?.request(call), { method, params })
}

/** Records the film in real time. */
async function takeFilm() {
  const page = await open(FILM, '')
  await sendButton(page).click()
  await page.waitForTimeout(2_500)
  /** @type {{ atMs: number, png: Buffer }[]} */
  const frames = []
  const began = performance.now()
  let isSent = false
  for (;;) {
    const atMs = performance.now() - began
    if (atMs > FILM_MS) break
    if (!isSent && atMs >= SENT_AT_MS) {
      isSent = true
      await sendButton(page).click()
    }
    frames.push({ atMs, png: await page.screenshot() })
    await page.waitForTimeout(Math.max(0, FRAME_MS - (performance.now() - began - atMs)))
  }
  await page.close()
  writeFileSync(`${FOLDER}/preconfirmation.gif`, encode(frames))
  console.log(`${frames.length} frames in ${FILM_MS} ms`)
}

/**
 * Encodes frames with one palette, and only what differs from the previous frame: nothing flickers, and the file is
 * small.
 *
 * @param {readonly { atMs: number, png: Buffer }[]} frames
 */
function encode(frames) {
  const pictures = frames.map(({ png }) => toRgba(png))
  const palette = gifenc.quantize(Uint8Array.from([...samples(pictures)]), COLOURS)
  const transparentIndex = palette.length
  const gif = gifenc.GIFEncoder()
  /** @type {Uint8Array | undefined} */
  let before
  for (const [i, rgba] of pictures.entries()) {
    const indices = gifenc.applyPalette(rgba, palette)
    const changed = indices.map((index, pixel) => (index === before?.[pixel] ? transparentIndex : index))
    const atMs = frames[i]?.atMs ?? 0
    gif.writeFrame(changed, FILM.width, FILM.height, {
      delay: (frames[i + 1]?.atMs ?? atMs + LAST_FRAME_MS) - atMs,
      transparent: true,
      transparentIndex,
      dispose: 1,
      ...(i === 0 && { palette: [...palette, [0, 0, 0]] }),
    })
    before = indices
  }
  gif.finish()
  return gif.bytes()
}

/**
 * A few representative frames: the first, those of the transaction on its way, and the last.
 *
 * @param {Uint8Array[]} pictures
 */
function* samples(pictures) {
  for (const at of [0, 0.25, 0.5, 0.75, 1]) yield* pictures[Math.round(at * (pictures.length - 1))] ?? []
}

/** @param {Buffer} png */
function toRgba(png) {
  const { data, width, height } = decode(png)
  const channels = data.length / (width * height)
  const rgba = new Uint8Array(width * height * 4).fill(255)
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < 3; channel++) rgba[pixel * 4 + channel] = data[pixel * channels + channel] ?? 0
  }
  return rgba
}

try {
  await takePicture()
  await takeWorkbench()
  await takeStage()
  await takeFilm()
} finally {
  await browser.close()
  await new Promise((resolve) => server.httpServer.close(resolve))
}
