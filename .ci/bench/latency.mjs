import { WebSocket } from 'ws'
import { startBlinknet } from './chains.mjs'
import { ms, percentile } from './figures.mjs'
import { Signer } from './transactions.mjs'

const SECONDS = 3
const RATES = [10, 100, 1_000]
const SLICE_MS = 10
const PARTIAL_MS = 200
/** At the highest rate, in milliseconds. */
const MOST = { p50: 120, p99: 230 }

const sleep = (/** @type {number} */ duration) => new Promise((resolve) => setTimeout(resolve, duration))

/**
 * From the submission of a transaction to its pre-confirmation, and how late ticks are, over a WebSocket of Node.js.
 *
 * @param {import('./figures.mjs').Report} report
 */
export async function reportLatency(report) {
  const chain = await startBlinknet([])
  const socket = new WebSocket((chain.url ?? '').replace('http', 'ws'))
  await new Promise((resolve, reject) => socket.once('open', () => resolve(undefined)).once('error', reject))
  /** @type {Map<string, number>} */
  const sentAt = new Map()
  /** Hash by the id of the call. @type {Map<number, number>} */
  const callsAt = new Map()
  /** When each hash was pre-confirmed. @type {Map<string, number>} */
  const preconfirmedAt = new Map()
  /** @type {number[]} */
  const ticks = []
  /** @type {string[]} */
  const subscriptions = []
  socket.on('message', (/** @type {Buffer} */ bytes) => {
    const now = performance.now()
    const { id, result, params, error } = JSON.parse(bytes.toString())
    if (error) throw new Error(`a call of the benchmark failed: ${error.message}`)
    if (id < 0) subscriptions.push(result)
    else if (id !== undefined) sentAt.set(result, callsAt.get(id) ?? Number.NaN)
    else if (typeof params.result === 'string') preconfirmedAt.set(params.result, now)
    else ticks.push(now)
  })
  const send = (/** @type {number} */ id, /** @type {string} */ method, /** @type {readonly unknown[]} */ params) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  send(-1, 'eth_subscribe', ['newPartialBlockTransactions'])
  send(-2, 'eth_subscribe', ['newPartialBlocks', 'diff'])
  while (subscriptions.length < 2) await sleep(SLICE_MS)

  const signer = new Signer()
  let id = 0
  try {
    for (const rate of RATES) {
      const lanes = await signer.next('transfer', rate * SECONDS)
      const raws = Array.from(
        { length: rate * SECONDS },
        (_, i) => lanes[i % lanes.length]?.[Math.floor(i / lanes.length)],
      )
      sentAt.clear()
      ticks.length = 0
      const began = performance.now()
      for (let sent = 0; sent < raws.length; ) {
        const due = Math.min(raws.length, ((performance.now() - began) / 1_000) * rate)
        for (; sent < due; sent++) {
          callsAt.set(++id, performance.now())
          send(id, 'eth_sendRawTransaction', [raws[sent]])
        }
        await sleep(SLICE_MS)
      }
      while ([...sentAt.keys()].length < raws.length || [...sentAt.keys()].some((hash) => !preconfirmedAt.has(hash))) {
        await sleep(PARTIAL_MS)
      }
      const waited = [...sentAt].map(([hash, at]) => (preconfirmedAt.get(hash) ?? Number.NaN) - at)
      const isJudged = rate === Math.max(...RATES)
      const late = lateness(ticks)
      for (const [name, share] of /** @type {const} */ ([
        ['p50', 0.5],
        ['p99', 0.99],
      ])) {
        const node = percentile(waited, share)
        const judged = isJudged ? { goal: `≤ ${MOST[name]} ms`, met: node <= MOST[name] } : {}
        report.row(
          `submitted → pre-confirmed, ${name} at ${rate.toLocaleString('en')} tx/s`,
          { node },
          { format: ms, ...judged },
        )
      }
      report.row(
        `how late ticks are, p99 at ${rate.toLocaleString('en')} tx/s`,
        { node: percentile(late, 0.99) },
        { format: ms },
      )
    }
  } finally {
    socket.close()
    await chain.stop()
  }
}

/** How far each tick is behind a grid that the earliest of them sets. @param {readonly number[]} at */
function lateness(at) {
  const phases = at.map((time) => time % PARTIAL_MS)
  // The grid may start anywhere: the phase from which all others are least behind.
  const spreads = phases.map((start) => phases.map((phase) => (phase - start + PARTIAL_MS) % PARTIAL_MS))
  return spreads.toSorted((a, b) => Math.max(...a) - Math.max(...b))[0] ?? []
}
