// The room at scale: guests who each send every two seconds, and guests who only watch, all through the server's door for
// guests, beside a speaker who follows the whole chain and the stage's page in Chromium. Prints the rate, the time to
// pre-confirmed as the phones see it, late ticks, lost events and the stage's frames. Needs `npm run build`. The guests run
// in this process, and share the machine with the server and the stage, which Chromium draws without a graphics card.
// Usage: room.mjs [--guests 100] [--watchers 200] [--seconds 20] [--no-stage]
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'
import { startServer } from '../scripts/server.mjs'
import { frameFigures, measureFrames } from './frames/measure-frames.mjs'
import { watchPage } from './frames/page-trace.mjs'
import { processorMs } from './versus/processor-time.mjs'

const SEND_EVERY_MS = 2_000
/** Sockets that are opened at a time. */
const OPENING = 100
/** A tick is late from here on, in milliseconds after the time at which it was due. */
const LATE_MS = 50
/** Left out of the stage's frames at the end, when guests stop one after the other. */
const LAST_MS = SEND_EVERY_MS

const { values } = parseArgs({
  options: {
    guests: { type: 'string', default: '100' },
    watchers: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    stage: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const [guestCount, watcherCount, seconds] = [values.guests, values.watchers, values.seconds].map(Number)
if (!guestCount || watcherCount === undefined || !seconds) throw new Error('guests and seconds are numbers above 0')

/** When each event of the room came to the latest phone. @type {Map<string, { last: number }>} */
const arrivals = new Map()

/** One WebSocket, and the events of the room that it got. */
class Phone {
  /** @type {Map<number, (message: any) => void>} */
  #waiting = new Map()
  #ids = 0
  /** Keys of the events of the room, in order. @type {string[]} */
  beats = []
  /** @type {((diff: any) => void) | undefined} */
  onDiff

  /** @param {string} url */
  constructor(url) {
    this.socket = new WebSocket(url.replace('http', 'ws'))
    this.socket.on('message', (data) => this.#take(/** @type {Buffer} */ (data).toString()))
  }

  /** @param {string} text */
  #take(text) {
    const beat = /"result":\{"block":(\d+),"index":(\d+),(?:"transactions":\d+,)?"sealed":(\w+)/.exec(text)
    if (beat) return this.#note(beat.slice(1).join('/'))
    const message = JSON.parse(text)
    if (message.id !== undefined) return this.#waiting.get(message.id)?.(message)
    if (message.params.result.diff) this.onDiff?.(message.params.result)
  }

  /** @param {string} key */
  #note(key) {
    this.beats.push(key)
    const now = performance.now()
    const arrival = arrivals.get(key) ?? { last: now }
    arrival.last = now
    arrivals.set(key, arrival)
  }

  /** @param {string} method @param {...unknown} params @returns {Promise<any>} */
  async call(method, ...params) {
    const id = ++this.#ids
    const answered = new Promise((resolve) => this.#waiting.set(id, resolve))
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const { result, error } = await answered
    this.#waiting.delete(id)
    if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
    return result
  }
}

/** @param {string} url @param {number} count */
async function openPhones(url, count) {
  /** @type {Phone[]} */
  const phones = []
  while (phones.length < count) {
    const more = Array.from({ length: Math.min(OPENING, count - phones.length) }, () => new Phone(url))
    await Promise.all(more.map(({ socket }) => once(socket, 'open')))
    phones.push(...more)
  }
  await Promise.all(phones.map((phone) => phone.call('eth_subscribe', 'room')))
  await Promise.all(phones.map((phone) => phone.call('eth_subscribe', 'newHeads')))
  return phones
}

/** @param {readonly number[]} sorted @param {number} share */
const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const perGuest = Math.ceil((seconds * 1_000) / SEND_EVERY_MS)
console.log(`signing ${guestCount * perGuest} transactions …`)
const accounts = Array.from({ length: guestCount }, () => privateKeyToAccount(generatePrivateKey()))
/** @type {string[][]} */
const signed = []
for (const account of accounts) {
  const transfers = Array.from({ length: perGuest }, (_, nonce) =>
    account.signTransaction({
      type: 'eip1559',
      chainId: 31337,
      nonce,
      to: `0x${'d0'.repeat(20)}`,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 20_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    }),
  )
  signed.push(await Promise.all(transfers))
}

// At the address of this machine for itself, guests share no limit of an address.
const server = await startServer(['--room', '--host', '127.0.0.1', '--log', 'warn'])
const browser = values.stage ? await chromium.launch(chromiumLaunch()) : undefined
try {
  const speaker = new Phone(server.url)
  await once(speaker.socket, 'open')
  await speaker.call('eth_subscribe', 'room')
  await speaker.call('eth_subscribe', 'newPartialBlocks', 'diff')
  const { url } = await speaker.call('room_info')
  const stage = await browser?.newPage({ viewport: { width: 1920, height: 1080 } })
  await stage?.goto(`${server.url}/?view=projector`)

  let started = performance.now()
  const guests = await openPhones(url, guestCount)
  await Promise.all(
    guests.map((guest, i) => guest.call('room_join', { name: `Guest ${i}`, address: accounts[i]?.address })),
  )
  console.log(`${guestCount} guests have joined in ${Math.round(performance.now() - started)} ms`)
  started = performance.now()
  const watchers = await openPhones(url, watcherCount)
  console.log(`${watcherCount} watchers have come in ${Math.round(performance.now() - started)} ms`)

  /** @type {{ at: number, index: number, block: number }[]} */
  const ticks = []
  speaker.onDiff = ({ index, metadata }) => {
    const block = Number(metadata.blockNumber)
    const last = ticks.at(-1)
    if (last?.block !== block || last.index !== index) ticks.push({ at: metadata.cutAtMs, index, block })
  }
  /** @type {number[]} */
  const latencies = []
  /** @type {string[]} */
  const failures = []
  let polls = 0
  const usedBefore = processorMs(server.pid)
  const ownBefore = process.cpuUsage()
  const polling = setInterval(() => void speaker.call('room_guests').then(() => polls++), 1_000)
  const watched =
    stage && watchPage(stage, () => stage.evaluate(measureFrames, Math.max(1_000, seconds * 1_000 - LAST_MS)))
  started = performance.now()
  await Promise.all(
    guests.map(async (guest, i) => {
      await sleep((i / guests.length) * SEND_EVERY_MS)
      const begun = performance.now()
      for (const [nonce, raw] of (signed[i] ?? []).entries()) {
        await sleep(Math.max(0, begun + nonce * SEND_EVERY_MS - performance.now()))
        const sentAt = performance.now()
        try {
          const { transactionHash } = await guest.call('eth_sendRawTransactionSync', raw)
          const preconfirmedMs = performance.now() - sentAt
          latencies.push(preconfirmedMs)
          await guest.call('room_report', { hash: transactionHash, preconfirmedMs })
        } catch (error) {
          failures.push(/** @type {Error} */ (error).message)
        }
      }
    }),
  )
  const tookMs = performance.now() - started
  const used = processorMs(server.pid)
  const own = process.cpuUsage(ownBefore)
  clearInterval(polling)
  const { transactionsPerSecond, latencyMs, connected, watching } = await speaker.call('room_guests')
  const seen = await watched
  // The events of the last second are still on their way.
  const newest = speaker.beats.at(-1) ?? ''
  for (const phone of [...guests, ...watchers]) {
    for (let tries = 0; !phone.beats.includes(newest) && tries < 100; tries++) await sleep(50)
  }

  const sorted = latencies.toSorted((a, b) => a - b)
  console.log(
    `rate                 ${(latencies.length / (tookMs / 1_000)).toFixed(0)} transactions/s; the room says ${transactionsPerSecond}`,
  )
  console.log(
    `to pre-confirmed     p50 ${percentile(sorted, 0.5).toFixed(0)} ms, p99 ${percentile(sorted, 0.99).toFixed(0)} ms, most ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms; the room says ${Math.round(latencyMs)} ms`,
  )
  console.log(`refused or lost      ${failures.length} of ${guestCount * perGuest} transactions ${failures[0] ?? ''}`)
  if (Number.isFinite(used - usedBefore)) {
    const each = (used - usedBefore) / ticks.length
    console.log(
      `the server           ${(((used - usedBefore) / tookMs) * 100).toFixed(1)} % of a processor, ${each.toFixed(0)} ms a tick`,
    )
  }
  console.log(
    `the phones           ${(((own.user + own.system) / 1_000 / tookMs) * 100).toFixed(1)} % of a processor, in this process`,
  )
  const gaps = ticks.slice(1).map(({ at }, i) => at - (ticks[i]?.at ?? at))
  const late = gaps.filter((gap) => gap > 200 + LATE_MS).length
  const left = ticks.slice(1).filter(({ block, index }, i) => {
    const last = ticks[i]
    return last && (block === last.block ? index !== last.index + 1 : block !== last.block + 1 || index > 1)
  }).length
  console.log(
    `ticks                ${ticks.length}; ${late} more than ${LATE_MS} ms late, ${left} left out; longest gap ${Math.max(...gaps).toFixed(0)} ms`,
  )

  const delays = ticks
    .flatMap(({ at, block, index }) => {
      const arrival = arrivals.get(`${block}/${index}/false`)
      return arrival ? [performance.timeOrigin + arrival.last - at] : []
    })
    .toSorted((a, b) => a - b)
  console.log(
    `an event reaches all within ${percentile(delays, 0.5).toFixed(0)} ms (p50), ${percentile(delays, 0.99).toFixed(0)} ms (p99) of its partial block`,
  )
  const all = new Map(speaker.beats.map((key, at) => [key, at]))
  const phones = [...guests, ...watchers]
  let lost = 0
  for (const { beats } of phones) {
    const [first, last] = [all.get(beats[0] ?? ''), all.get(beats.at(-1) ?? '')]
    const isBehind = !beats.includes(newest)
    lost += first === undefined || last === undefined || isBehind ? 1 : last - first + 1 - beats.length
  }
  const events = phones.reduce((sum, { beats }) => sum + beats.length, 0)
  console.log(
    `events of the room   ${events} to ${phones.length} phones; ${lost} lost; ${connected} connected, ${watching} watching; ${polls} answers to the stage`,
  )
  if (seen) reportStage(seen)
} finally {
  await browser?.close()
  await server.stop()
}

/** @param {{ result: number[], cost: import('./frames/page-trace.mjs').PageCost }} seen */
function reportStage({ result: frames, cost: { tasks, parts, processes, others } }) {
  const { p50, p95, p99, dropped, due } = frameFigures(frames)
  const long = tasks.filter(({ wall }) => wall > 50).length
  const longest = Math.max(0, ...tasks.map(({ cpu }) => cpu))
  const { renderer = 0, ...elsewhere } = processes
  const { script, layout, paint, rest } = parts
  const page = script + layout + paint + rest
  const ofBrowser = Object.values(elsewhere).reduce((sum, ms) => sum + ms, 0)
  const whole = (/** @type {number} */ ms) => ms.toFixed(0)
  console.log(
    `frames of the stage  p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${dropped} of ${due} dropped; ${long} tasks over 50 ms, the longest ${longest.toFixed(1)} ms of processor time`,
  )
  console.log(
    `the stage, ms/s      page ${whole(page)} (script ${whole(script)}, layout ${whole(layout)}, paint ${whole(paint)}, rest ${whole(rest)}), its other threads ${whole(renderer - page)}, the browser ${whole(ofBrowser)}; all other programs ${whole(others)}`,
  )
}
