// A load of transfers that lasts, on a server with `--data` that is killed (SIGKILL) now and then. After each kill the next server
// opens the directory. At the end all that any of them has acknowledged must be in blocks, in each account as often as its nonce
// says, and the blocks must pass the audit. Needs `npm run build:server`.
//
//   npm run fuzz:lasting -- [--minutes 60] [--rate 500] [--kills 12] [--memory 32] [--seed N]
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../bench/versus/chains.mjs'
import { inspectedAt, liveMb } from '../../bench/versus/live-memory.mjs'
import { rpc } from '../server.mjs'
import { randomOf } from './random.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '500' },
    kills: { type: 'string', default: '12' },
    memory: { type: 'string', default: '32' },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const [minutes, rate, kills] = [Number(values.minutes), Number(values.rate), Number(values.kills)]
if (![seed, minutes, rate, kills].every((n) => Number.isFinite(n) && n >= 0)) {
  console.error('--minutes, --rate, --kills and --seed take numbers')
  process.exit(2)
}

const AUDIT = path.resolve(import.meta.dirname, '../../../shared/checks/audit-chain.mjs')
/** Blocks that are audited in a row: at the beginning, in the middle, and at the end. */
const AUDITED = 8
/** Newest blocks that keep their states, less a few that are sealed meanwhile. */
const STATES_KEPT = 200
const EACH_MS = 100
/** Requests, and transactions in one: on a machine with other work the rate is lower. */
const MOST_UNANSWERED = 4
const MOST_AT_ONCE = 200
/** Until a kill, after the memory was read: any part of a block. */
const ROUND_MS = 2_000
const RECEIVERS = 5_000
/** Blocks whose hashes are asked for at once. */
const BLOCKS_AT_ONCE = 20
/** Characters of a hash that tell it from the others of a run. */
const TOLD_BY = 18

const directory = mkdtempSync(path.join(tmpdir(), 'lasting-'))

async function open() {
  const port = await freePort()
  const args = ['dist/server/main.js', '--port', '0', '--data', directory, '--memory', values.memory]
  const since = performance.now()
  const child = spawn(process.execPath, [...inspectedAt(port), ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Listening on (http:\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    const senders = /** @type {string[]} */ (await rpc(url, 'eth_accounts'))
    return { child, exited, url, port, senders, openedMs: performance.now() - since }
  }
  throw new Error('the server ended before it listened')
}

/** @typedef {{ result?: unknown, error?: { message: string } }} Answer */

/**
 * Answers to calls, in their order.
 *
 * @param {string} url
 * @param {readonly { method: string, params: readonly unknown[] }[]} calls
 * @returns {Promise<unknown[]>}
 */
async function batch(url, calls) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  })
  const answers = /** @type {readonly Answer[]} */ (await response.json())
  return answers.map(({ result, error }) => {
    if (error) throw new Error(`the server refused a call: ${error.message}`)
    return result
  })
}

const hex = (/** @type {number} */ value) => `0x${value.toString(16)}`
const receiver = (/** @type {number} */ index) =>
  `0x${(0xb1_0000_0000 + (index % RECEIVERS)).toString(16).padStart(40, '0')}`

const random = randomOf(seed)

/** Beginnings of the hashes of transactions that were acknowledged. @type {Set<string>} */
const acknowledged = new Set()
let sent = 0

/**
 * Sends at the rate. The last requests are under way when it ends.
 *
 * @param {Awaited<ReturnType<typeof open>>} server
 * @param {number} until
 */
async function load({ url, senders }, until) {
  const counts = await batch(
    url,
    senders.map((sender) => ({ method: 'eth_getTransactionCount', params: [sender, 'pending'] })),
  )
  const nonces = counts.map(Number)
  // A kill cuts requests: some have arrived, and others with lower nonces have not.
  const { queued } = /** @type {{ queued: Record<string, Record<string, unknown>> }} */ (
    await rpc(url, 'txpool_content')
  )
  const taken = new Map(Object.entries(queued).map(([address, byNonce]) => [address.toLowerCase(), byNonce]))
  /** @type {Promise<void>[]} */
  const sendings = []
  const began = performance.now()
  let sentHere = 0
  let unanswered = 0
  do {
    await wait(EACH_MS)
    // Requests on several connections overtake each other, and the pool takes few transactions before their nonce's turn.
    if (unanswered >= MOST_UNANSWERED) continue
    const due = Math.min(MOST_AT_ONCE, Math.floor(((performance.now() - began) * rate) / 1_000) - sentHere)
    if (due > 0) {
      const calls = Array.from({ length: due }, () => {
        const sender = sent % senders.length
        let nonce = nonces[sender] ?? 0
        while (taken.get(senders[sender] ?? '')?.[nonce]) nonce++
        nonces[sender] = nonce + 1
        const wish = { from: senders[sender], to: receiver(sent++), value: '0x1', gas: '0x5208', nonce: hex(nonce) }
        return { method: 'eth_sendTransaction', params: [wish] }
      })
      sentHere += due
      unanswered++
      const sending = batch(url, calls).then((hashes) => {
        unanswered--
        for (const hash of /** @type {string[]} */ (hashes)) acknowledged.add(hash.slice(0, TOLD_BY))
      })
      // Whoever called looks at what failed once all are sent.
      sending.catch(() => {})
      sendings.push(sending)
    }
  } while (performance.now() < until)
  return sendings
}

/** Beginnings of the hashes of all transactions in blocks. @param {string} url */
async function included(url) {
  const head = Number(await rpc(url, 'eth_blockNumber'))
  /** @type {Set<string>} */
  const all = new Set()
  for (let from = 0; from <= head; from += BLOCKS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(BLOCKS_AT_ONCE, head + 1 - from) }, (_, i) => hex(from + i))
    const blocks = await batch(
      url,
      numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [number, false] })),
    )
    for (const { transactions } of /** @type {{ transactions: string[] }[]} */ (blocks)) {
      for (const hash of transactions) all.add(hash.slice(0, TOLD_BY))
    }
  }
  return { head, all }
}

/** @param {string[]} failures @param {string} url @param {number} head */
function audit(failures, url, head) {
  if (!existsSync(AUDIT)) return console.log('the audit is not there: left out')
  for (const from of [0, Math.floor(head / 2), Math.max(0, head - AUDITED + 1)]) {
    const to = Math.min(head, from + AUDITED - 1)
    // Old states are gone, and with them what is proven by them.
    const proofs = to > head - STATES_KEPT ? [] : ['--no-proofs']
    const args = [AUDIT, url, String(from), String(to), '--fork', 'osaka', ...proofs]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) failures.push(`the audit from block ${from} failed:\n${stdout.slice(-2_000)}`)
  }
}

console.log(`${minutes} minutes at ${rate}/s, ${kills} kills, seed ${seed}`)
/** @type {string[]} */
const failures = []
let server = await open()
try {
  const end = performance.now() + minutes * 60_000
  for (let killed = 0; killed < kills; killed++) {
    const left = end - performance.now()
    const until = performance.now() + (left / (kills - killed + 1)) * (0.5 + random())
    const sendings = await load(server, until)
    await Promise.all(sendings)
    const memory = await liveMb(server.port)
    sendings.push(...(await load(server, performance.now() + random() * ROUND_MS)))
    // What is under way arrives, or not.
    const settled = Promise.allSettled(sendings)
    server.child.kill('SIGKILL')
    await server.exited
    const lost = (await settled).filter(({ status }) => status === 'rejected').length
    server = await open()
    console.log(
      `kill ${killed + 1}: ${acknowledged.size.toLocaleString('en')} acknowledged, ${lost} requests cut, ${memory.toFixed(0)} MB live, opened again in ${server.openedMs.toFixed(0)} ms`,
    )
  }
  const sendings = await load(server, end)
  for (const result of await Promise.allSettled(sendings)) {
    if (result.status === 'rejected') failures.push(`refused although nothing was killed: ${result.reason}`)
  }
  await rpc(server.url, 'evm_mine')
  const { head, all } = await included(server.url)
  const missing = [...acknowledged].filter((hash) => !all.has(hash))
  if (missing.length > 0) failures.push(`${missing.length} acknowledged transactions are missing, first ${missing[0]}…`)
  const counts = await batch(
    server.url,
    server.senders.map((sender) => ({ method: 'eth_getTransactionCount', params: [sender, 'latest'] })),
  )
  const byNonces = counts.reduce((/** @type {number} */ sum, count) => sum + Number(count), 0)
  if (byNonces !== all.size) failures.push(`the blocks have ${all.size} transactions, the nonces tell of ${byNonces}`)
  audit(failures, server.url, head)
  console.log(
    `${head} blocks, ${all.size.toLocaleString('en')} transactions in them, ${acknowledged.size.toLocaleString('en')} acknowledged, ${(await liveMb(server.port)).toFixed(0)} MB live`,
  )
} finally {
  server.child.kill('SIGKILL')
  await server.exited
  rmSync(directory, { recursive: true, force: true })
}
for (const failure of failures) console.error(failure)
console.log(failures.length === 0 ? 'nothing is missing' : `${failures.length} failures, seed ${seed}`)
process.exit(failures.length === 0 ? 0 : 1)
