import { WebSocket } from 'ws'
import { openWorker } from './browser.mjs'
import { startBlinknet } from './chains.mjs'
import { ms, percentile, count as wholeNumber } from './figures.mjs'
import { BenchSigner } from './transactions.mjs'

/** Transactions per second; the goal is for the last rate. */
const RATES = [10, 100, 1_000]
/**
 * At saturation: as fast as transactions are accepted. At most `mostWaiting` are not pre-confirmed yet: each waits for a
 * tick, 200 ms at most, so 3,000 would limit the rate to 15,000 a second. At most `mostUnanswered` are not accepted yet:
 * after a tick the client could otherwise send thousands at once, and what it measures would be how long they wait unread.
 */
const SATURATING = { count: 30_000, mostWaiting: 8_000, mostUnanswered: 500 }
/** Gas of a block: 47,000 transfers a second. The default, 400 million, is 9,500 a second, and each chain could do more. */
const GAS_LIMIT = '0x77359400'
const PARTIAL_MS = 200
/** Goals at the highest rate, in milliseconds. */
const MOST = { p50: 120, p99: 230, skipped: 0 }
/** Goals at saturation, in the browser and in Node.js. */
const LEAST_SATURATED = [22_000, 15_000]
const MOST_SATURATED = { p99: 250, late: 50 }

/**
 * A measurement of transactions sent at a rate to a chain that runs on its own clock.
 *
 * @typedef {{ waited: number[], ticks: number[], took: number }} Sustained - Milliseconds from the submission of each
 * to its pre-confirmation; the time of each partial block; milliseconds for all.
 * @typedef {{ raws: readonly string[], rate: number, mostWaiting: number, mostUnanswered: number, isFull: boolean }} Load
 * - `isFull` if every tick has transactions. Then the first of them tells its time, and no partial blocks are asked for: at
 * saturation they would be two thirds of what the node writes and the client reads.
 * @typedef {(load: Load) => Promise<Sustained>} Sustain
 */

/**
 * Measures the time from submission to pre-confirmation, and how late ticks are.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {import('./browser.mjs').Host} host
 * @param {number} seconds - How long the highest rate lasts.
 */
export async function reportLatency(report, host, seconds) {
  const worker = await openWorker(host, 'auto')
  const node = await startBlinknet([])
  /** @type {readonly (readonly [name: 'worker' | 'node', sustain: Sustain])[]} */
  const systems = [
    ['worker', (load) => worker.port.evaluate(sustainThere, load)],
    ['node', (load) => overWebSocket(node.url ?? '', load)],
  ]
  const signer = new BenchSigner()
  const measure = async (
    /** @type {number} */ count,
    /** @type {number} */ rate,
    mostWaiting = count,
    mostUnanswered = count,
  ) => {
    const isFull = mostWaiting < count
    const lanes = await signer.next('transfer', count)
    const raws = Array.from({ length: count }, (_, i) => lanes[i % lanes.length]?.[Math.floor(i / lanes.length)] ?? '')
    /** @type {Partial<Record<'worker' | 'node', Sustained>>} */
    const measured = {}
    for (const [name, sustain] of systems)
      measured[name] = await sustain({ raws, rate, mostWaiting, mostUnanswered, isFull })
    return measured
  }
  try {
    for (const chain of [worker, node]) await chain.call('evm_setBlockGasLimit', [GAS_LIMIT])
    for (const rate of RATES) {
      const lasting = rate === Math.max(...RATES) ? seconds : 3
      const at = `at ${rate.toLocaleString('en')} tx/s for ${lasting} s`
      reportRate(report, at, await measure(rate * lasting, rate), rate === Math.max(...RATES) ? MOST : {})
    }
    const { count, mostWaiting, mostUnanswered } = SATURATING
    const saturated = await measure(count, count * 1_000, mostWaiting, mostUnanswered)
    const at = `at saturation, ${mostWaiting.toLocaleString('en')} waiting, ${mostUnanswered} unanswered`
    const perSecond = over(saturated, ({ took }) => (count / took) * 1_000)
    report.row(`transfers pre-confirmed a second ${at}`, perSecond, {
      format: wholeNumber,
      goal: `≥ ${LEAST_SATURATED.map(wholeNumber).join(', ')}`,
      met: systems.every(([name], i) => (perSecond[name] ?? 0) >= (LEAST_SATURATED[i] ?? 0)),
    })
    reportRate(report, at, saturated, MOST_SATURATED)
  } finally {
    await worker.stop()
    await node.stop()
  }
}

/**
 * @param {import('./figures.mjs').Report} report
 * @param {string} at - Which load.
 * @param {Partial<Record<'worker' | 'node', Sustained>>} measured
 * @param {{ readonly p50?: number, readonly p99?: number, readonly late?: number, readonly skipped?: number }} goals - For both.
 */
function reportRate(report, at, measured, goals) {
  /** @param {import('./figures.mjs').Values} values @param {number | undefined} most @param {(value: number) => string} format */
  const judged = (values, most, format) =>
    most === undefined
      ? {}
      : { goal: `≤ ${format(most)}`, met: Object.values(values).every((value = Infinity) => value <= most) }
  for (const [name, share] of /** @type {const} */ ([
    ['p50', 0.5],
    ['p99', 0.99],
  ])) {
    const values = over(measured, ({ waited }) => percentile(waited, share))
    const row = { format: ms, ...judged(values, goals[name], ms) }
    report.row(`submitted → pre-confirmed, ${name} ${at}`, values, row)
  }
  const late = over(measured, ({ ticks }) => percentile(lateness(ticks), 0.99))
  report.row(`how late ticks are, p99 ${at}`, late, { format: ms, ...judged(late, goals.late, ms) })
  const skipped = over(measured, ({ ticks }) => Math.max(0, Math.round(spanOf(ticks) / PARTIAL_MS) + 1 - ticks.length))
  report.row(`ticks left out ${at}`, skipped, { format: String, ...judged(skipped, goals.skipped, String) })
}

/** @param {Partial<Record<'worker' | 'node', Sustained>>} measured @param {(sustained: Sustained) => number} figure */
const over = (measured, figure) =>
  Object.fromEntries(Object.entries(measured).map(([name, sustained]) => [name, figure(sustained)]))

/** @param {readonly number[]} at */
const spanOf = (at) => (at.at(-1) ?? 0) - (at[0] ?? 0)

/** How late each tick is on a grid set by the earliest tick. @param {readonly number[]} at */
function lateness(at) {
  const phases = at.map((time) => time % PARTIAL_MS)
  // The grid may start anywhere; take the phase with the least total lateness.
  const spreads = phases.map((start) => phases.map((phase) => (phase - start + PARTIAL_MS) % PARTIAL_MS))
  return spreads.toSorted((a, b) => Math.max(...a) - Math.max(...b))[0] ?? []
}

/**
 * Sends them over a WebSocket of Node.js.
 *
 * @param {string} url
 * @param {Load} load
 * @returns {Promise<Sustained>}
 */
async function overWebSocket(url, load) {
  const socket = new WebSocket(url.replace('http', 'ws'))
  await new Promise((resolve, reject) => socket.once('open', () => resolve(undefined)).once('error', reject))
  /** @type {Map<unknown, (body: string) => void>} */
  const waiting = new Map()
  const port = {
    send: (/** @type {string} */ body) =>
      new Promise((/** @type {(answer: string) => void} */ answered) => {
        waiting.set(JSON.parse(body).id, answered)
        socket.send(body)
      }),
    hear: (/** @type {string} */ _body) => {},
  }
  socket.on('message', (/** @type {Buffer} */ bytes) => {
    const body = bytes.toString()
    const { id } = JSON.parse(body)
    if (id === undefined) return port.hear(body)
    waiting.get(id)?.(body)
    waiting.delete(id)
  })
  const sustained = await sustainThere(port, load)
  socket.close()
  return sustained
}

/**
 * Runs where the port is, possibly in the page, so it must not use anything outside its body.
 *
 * @param {import('./browser.mjs').WorkerPort} port
 * @param {Load} load
 * @returns {Promise<Sustained>}
 */
async function sustainThere(port, { raws, rate, mostWaiting, mostUnanswered, isFull }) {
  const SLICE_MS = 10
  /** Between the last notification of a tick and the first one of the next. */
  const BETWEEN_TICKS_MS = 50
  const pause = (/** @type {number} */ duration) => new Promise((resolve) => setTimeout(resolve, duration))
  let id = 0
  const call = async (/** @type {string} */ method, /** @type {readonly unknown[]} */ params) => {
    id += 1
    const { result, error } = JSON.parse(await port.send(JSON.stringify({ jsonrpc: '2.0', id, method, params })))
    if (error) throw new Error(`a call of the benchmark failed: ${error.message}`)
    return result
  }
  /** @type {Map<string, number>} */
  const preconfirmedAt = new Map()
  /** @type {number[]} */
  const ticks = []
  let latest = -Infinity
  let answered = 0
  port.hear = (body) => {
    const { result } = JSON.parse(body).params
    const now = performance.now()
    if (typeof result === 'string') preconfirmedAt.set(result, now)
    if (typeof result !== 'string' || (isFull && now - latest > BETWEEN_TICKS_MS)) ticks.push(now)
    latest = now
  }
  const subscriptions = [await call('eth_subscribe', ['newPartialBlockTransactions'])]
  if (!isFull) subscriptions.push(await call('eth_subscribe', ['newPartialBlocks', 'diff']))
  const began = performance.now()
  /** @type {Promise<readonly [hash: string, at: number]>[]} */
  const sendings = []
  const send = async (/** @type {string} */ raw) => {
    const at = performance.now()
    const hash = await call('eth_sendRawTransaction', [raw])
    answered++
    return /** @type {const} */ ([hash, at])
  }
  while (sendings.length < raws.length) {
    const byNow = ((performance.now() - began) / 1_000) * rate
    const due = Math.min(raws.length, byNow, preconfirmedAt.size + mostWaiting, answered + mostUnanswered)
    while (sendings.length < due) sendings.push(send(raws[sendings.length] ?? ''))
    await pause(SLICE_MS)
  }
  const sent = await Promise.all(sendings)
  while (sent.some(([hash]) => !preconfirmedAt.has(hash))) await pause(SLICE_MS)
  const took = performance.now() - began
  for (const subscription of subscriptions) await call('eth_unsubscribe', [subscription])
  return { waited: sent.map(([hash, at]) => (preconfirmedAt.get(hash) ?? Number.NaN) - at), ticks, took }
}
