// Frames of the live screen in any of the three browsers of e2e/engines, and the CPU time of their threads.
import { readdirSync, readFileSync } from 'node:fs'
import { runnerImport } from 'vite'
import { findFirefox, findWebKit } from '../../scripts/browsers/engines.mjs'
import { median } from '../versus/figures.mjs'

/** Rounds in which the queries are measured in turn, so that other work on the machine affects all of them. */
const ROUNDS = 3
const MEASURED_MS = 4_000
/** The page needs a moment to measure how fast it is painted, and to switch off effects that are slow. */
const SETTLING_MS = 5_000

/** Threads that replace a graphics card: Mesa's rasterizer, and the painting that uses it. */
const SOFTWARE_PAINTING = /^(llvmpipe|Skia|SwiftShader|SwComposite|WRWorker|WRRende|Renderer)/

/**
 * The part of e2e/engines/engine.ts that is used here.
 *
 * @typedef {{ goto: (url: string) => Promise<void>, evaluate: (script: (argument: any) => any, argument?: unknown) =>
 * Promise<any>, close: () => Promise<void> }} Tab
 * @typedef {{ name: string, openTab: () => Promise<Tab>, close: () => Promise<void> }} Engine
 * @typedef {'chromium' | 'firefox' | 'webkit'} EngineName
 * @typedef {{ engine: string, what: string, fps: number, page: number, painting: number, rest: number }} Frames
 */

/**
 * @typedef {{ startChromium: () => Promise<Engine>, startFirefox: (program: unknown) => Promise<Engine>,
 *   startWebKit: (programs: unknown) => Promise<Engine> }} Drivers
 */

/**
 * @param {string} file
 * @returns {Promise<Drivers>} The drivers in the file.
 */
const driver = async (file) => (await runnerImport(`./e2e/engines/${file}`, { configFile: false })).module

/**
 * @param {EngineName} name
 * @returns {Promise<Engine | undefined>} `undefined` if the browser is not installed.
 */
async function start(name) {
  if (name === 'chromium') return (await driver('chromium.ts')).startChromium()
  const found = name === 'firefox' ? findFirefox() : findWebKit()
  if (found === undefined) return undefined
  return name === 'firefox'
    ? (await driver('firefox.ts')).startFirefox(found)
    : (await driver('webkit.ts')).startWebKit(found)
}

/**
 * @param {EngineName} name
 * @param {string} base - The page's address.
 * @param {readonly { what: string, query: string }[]} cases
 * @returns {Promise<Frames[] | undefined>} Medians; CPU time in milliseconds per second. `undefined` if the
 * browser is not installed.
 */
export async function measureEngineFrames(name, base, cases) {
  const engine = await start(name)
  if (!engine) return undefined
  try {
    const tab = await engine.openTab()
    /** @type {Frames[][]} */
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      const measured = []
      for (const { what, query } of cases) {
        await tab.goto(`${base}?${query}`)
        await tab.evaluate(wait, SETTLING_MS)
        const before = usage()
        const began = performance.now()
        const fps = await tab.evaluate(countFrames, MEASURED_MS)
        const seconds = (performance.now() - began) / 1_000
        measured.push({ engine: engine.name, what, fps, ...share(before, usage(), seconds) })
      }
      rounds.push(measured)
    }
    return cases.map(({ what }, i) => {
      const of = (/** @type {'fps' | 'page' | 'painting' | 'rest'} */ key) =>
        median(rounds.map((round) => round[i]?.[key] ?? Number.NaN))
      return { engine: engine.name, what, fps: of('fps'), page: of('page'), painting: of('painting'), rest: of('rest') }
    })
  } finally {
    await engine.close()
  }
}

/** Runs in the page. @param {number} ms */
function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Runs in the page: frames per second. @param {number} durationMs */
function countFrames(durationMs) {
  return new Promise((resolve) => {
    let frames = -1
    let began = 0
    /** @param {number} now */
    function onFrame(now) {
      frames++
      if (frames === 0) began = now
      if (now - began < durationMs) requestAnimationFrame(onFrame)
      else resolve((frames * 1_000) / (now - began))
    }
    requestAnimationFrame(onFrame)
  })
}

/**
 * CPU time in milliseconds of the threads of this process's children so far, by kind of thread.
 *
 * @typedef {{ page: number, painting: number, rest: number }} Usage
 * @returns {Usage}
 */
function usage() {
  const used = { page: 0, painting: 0, rest: 0 }
  for (const pid of descendants()) {
    for (const thread of read(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
      const task = `/proc/${pid}/task/${thread}`
      const name = read(() => readFileSync(`${task}/comm`, 'utf8')) ?? ''
      const ns = Number((read(() => readFileSync(`${task}/schedstat`, 'utf8')) ?? '0').split(' ')[0])
      const isPage =
        thread === pid && /^(WebKitWebProces|Isolated Web Co|Web Content|chromium|chrome|headless_shell)/.test(name)
      used[SOFTWARE_PAINTING.test(name) ? 'painting' : isPage ? 'page' : 'rest'] += ns / 1e6
    }
  }
  return used
}

/** @param {Usage} before @param {Usage} after @param {number} seconds @returns {Usage} */
function share(before, after, seconds) {
  const each = (/** @type {keyof Usage} */ kind) => (after[kind] - before[kind]) / seconds
  return { page: each('page'), painting: each('painting'), rest: each('rest') }
}

/** A thread or process may end while it is read. @template T @param {() => T} reading @returns {T | undefined} */
function read(reading) {
  try {
    return reading()
  } catch {
    return undefined
  }
}

/** @returns {string[]} Processes started by this one, and their descendants. */
function descendants() {
  const parents = new Map()
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    if (stat !== undefined) parents.set(pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  }
  const isOwn = (/** @type {string} */ pid) => {
    for (let at = parents.get(pid); at !== undefined; at = parents.get(at)) if (at === String(process.pid)) return true
    return false
  }
  return [...parents.keys()].filter(isOwn)
}
