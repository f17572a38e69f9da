// Hostile input: requests to the built server over HTTP, WebSocket and plain TCP, changed chain files for the node,
// messages for its worker's port, and addresses for the page. After each case the server must still run, answer
// `eth_chainId` within a second, and stay within its memory limit. There are two servers; at the end the chain of one of
// them must pass the audit, with ordinary transactions in it. Needs `npm run build:server`.
//
//   npm run fuzz -- [--seconds 3600] [--seed N] [--case N] [--server dist/server/main.js] [--heap 1024] [--server-only]
//
// A case depends only on the seed and its number: `--seed N --case M` repeats one on new servers. If a finding depends on
// earlier cases, `--seed N` repeats them all.
import { spawn, spawnSync } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { rpc } from '../server.mjs'
import { makeCase } from './cases.mjs'
import { traceWithoutEnd } from './small-heap.mjs'

const AUDIT = path.resolve(import.meta.dirname, '../../../shared/checks/audit-chain.mjs')
/**
 * Limits in milliseconds for answering `eth_chainId`: for the median of some calls, and for each. Only the server's
 * running time counts, since on a busy machine it waits for a core.
 */
const MEDIAN_MS = 1_000
const LIMIT_MS = 5_000
/** Milliseconds after which a server counts as hanging, however busy the machine is. */
const HANGS_MS = 60_000
const PROBES = 3
/** Milliseconds after which the answers to a case are no longer awaited; the node is checked anyway. */
const CASE_MS = 1_500
/** Limit for the server's peak memory in bytes. Runs without a finding stay below 400 MB. */
const MEMORY = 1024 ** 3
/** Part of an answer that shows a bug in the node: the JSON-RPC code, which also stands for these HTTP statuses. */
const INTERNAL = '"code":-32603'
const BROKE = new Set([500, 502])
/** How many characters of an answer are kept. */
const KEPT = 100_000
/** The most blocks that the audit recomputes. */
const AUDITED = 40
/** Property tests that run without the server, and their share of the time each. */
const PROPERTIES = [
  { title: 'changed chain files', file: 'src/node/persistence/chain-file.property.test.ts', share: 1 / 4, count: 1 },
  { title: "messages for the worker's port", file: 'src/worker/port.property.test.ts', share: 1 / 12, count: 2 },
  { title: 'addresses of the page', file: 'src/ui/shell/address.property.test.ts', share: 1 / 12, count: 3 },
]
/** MiB of the heap of a server that has little of it. */
const SMALL_HEAP = '64'
/** Share of the ordinary transactions that must succeed; others are planned to fail, or meet a busy node. */
const MIN_ORDINARY = 1 / 2

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '45' },
    seed: { type: 'string' },
    case: { type: 'string' },
    server: { type: 'string', default: 'dist/server/main.js' },
    // MiB of the server's heap.
    heap: { type: 'string', default: '1024' },
    // Leaves out the property tests, which `npm test` runs among the unit tests.
    'server-only': { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const seconds = Number(values.seconds)
const properties = values['server-only'] ? [] : PROPERTIES
const serverShare = properties.reduce((left, { share }) => left - share, 1)
const only = values.case === undefined ? undefined : Number(values.case)
if (![seed, seconds, only ?? 0].every((n) => Number.isFinite(n) && n >= 0)) {
  console.error('--seconds, --seed and --case take numbers')
  process.exit(2)
}

/** Resolves later without keeping the process alive. @param {number} ms @returns {Promise<undefined>} */
const later = (ms) => new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())

/** @typedef {Awaited<ReturnType<typeof start>>} Target */

async function start(heap = values.heap) {
  const args = [`--max-old-space-size=${heap}`, values.server, '--port', '0', '--partial-ms', '50']
  const child = spawn('node', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (data) => {
    errors = (errors + data).slice(-KEPT)
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Listening on (http:\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    /** @type {{ methods: { name: string }[] }} */
    const { methods } = await rpc(url, 'rpc_discover')
    const takeErrors = () => {
      const taken = errors
      errors = ''
      return taken
    }
    /** @type {string[]} */
    const discovered = methods.map(({ name }) => name)
    return { child, exited, url, discovered, takeErrors }
  }
  throw new Error(`the server ended before it listened\n${errors}`)
}

/** @param {string} url @param {import('./cases.mjs').Case} made @param {AbortSignal} signal */
function sendHttp(url, { bodies, headers, leave }, signal) {
  return Promise.all(
    bodies.map(
      (body) =>
        new Promise((/** @type {(text: string) => void} */ resolve) => {
          const all = { 'Content-Type': 'application/json', ...headers }
          const sent = request(url, { method: 'POST', signal, headers: all }, (response) => {
            let text = ''
            response.on('data', (data) => {
              if (text.length < KEPT) text += data
            })
            response.on('end', () => resolve(`${BROKE.has(response.statusCode ?? 0) ? INTERNAL : ''}${text}`))
            response.on('error', () => resolve(text))
          })
          // A caller that left or timed out has no answer; the node is checked afterwards.
          sent.on('error', () => resolve(''))
          sent.end(body)
          if (leave) setTimeout(() => sent.destroy(), 50)
        }),
    ),
  )
}

/** @param {string} url @param {import('./cases.mjs').Case} made @param {AbortSignal} signal */
async function sendWebSocket(url, { bodies, headers = {}, leave }, signal) {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers })
  /** @type {string[]} */
  const answers = []
  await new Promise((/** @type {(done?: unknown) => void} */ resolve) => {
    signal.addEventListener('abort', resolve)
    socket.on('error', resolve)
    socket.on('close', resolve)
    socket.on('message', (data) => {
      const text = /** @type {Buffer} */ (data).toString('utf8')
      if (text.includes('eth_subscription')) return
      answers.push(text.slice(0, KEPT))
      if (answers.length === bodies.length) resolve()
    })
    socket.on('open', () => {
      for (const body of bodies) socket.send(body)
      if (leave) setTimeout(resolve, 100)
    })
  })
  socket.terminate()
  return answers
}

/**
 * Connections stay open while the node is checked, unless the case closes them.
 *
 * @param {string} url
 * @param {import('./cases.mjs').Case} made
 */
async function sendRaw(url, { bodies, leave, unread }) {
  const sockets = bodies.map((body) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => socket.destroy())
    if (!unread) socket.resume()
    socket.write(body)
    return socket
  })
  for (const socket of sockets) {
    if (socket.connecting) await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  }
  if (leave) for (const socket of sockets) socket.resetAndDestroy()
  return sockets
}

/**
 * Milliseconds of the server's time for `eth_chainId`; `undefined` if it was not answered. @param {Pick<Target, 'child'
 * | 'url'>} target
 */
async function probe({ child, url }) {
  const started = performance.now()
  const startedCpu = cpuTime(child.pid)
  const [answer] = await sendHttp(
    url,
    { title: 'probe', over: 'http', bodies: ['{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'] },
    AbortSignal.timeout(HANGS_MS),
  )
  const took = performance.now() - started
  const ran = cpuTime(child.pid) - startedCpu
  // The call may be planned to fail; an error is an answer, too.
  return answer?.includes('"id":1') ? Math.min(took, ran) : undefined
}

/**
 * CPU time of a process in milliseconds; the time of day if the system does not report it.
 *
 * @param {number | undefined} pid
 */
function cpuTime(pid) {
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return performance.now()
  // After the name, which may contain anything: user and system time are the 12th and 13th field, in hundredths of a
  // second.
  const fields = readFileSync(stat, 'utf8').replace(/^.*\)/s, '').trim().split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Peak memory of the process in bytes; 0 if the system does not report it. @param {number | undefined} pid */
function peakMemory(pid) {
  const status = `/proc/${pid}/status`
  return existsSync(status) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) * 1024 : 0
}

/**
 * @param {Target} target
 * @returns {Promise<string | undefined>} Why the server cannot be used any longer.
 */
async function checkAlive({ child, url }) {
  /** @type {number[]} */
  const took = []
  for (let i = 0; i < PROBES; i++) {
    const ms = await probe({ child, url })
    if (child.exitCode !== null || child.signalCode !== null) {
      return `the server ended with ${child.exitCode ?? child.signalCode}`
    }
    if (ms === undefined) return `eth_chainId was not answered within ${HANGS_MS} ms`
    if (ms > LIMIT_MS) return `eth_chainId was answered after ${Math.round(ms)} ms, its limit is ${LIMIT_MS}`
    took.push(ms)
  }
  const median = /** @type {number} */ (took.sort((a, b) => a - b)[Math.floor(PROBES / 2)])
  if (median > MEDIAN_MS) return `eth_chainId was answered after ${Math.round(median)} ms, its limit is ${MEDIAN_MS}`
  const used = peakMemory(child.pid)
  peak = Math.max(peak, used)
  return used > MEMORY ? `the server has had ${used} bytes in memory, its budget is ${MEMORY}` : undefined
}

/** An ordinary transaction: a transfer, a contract that logs, or a call to it. @param {string} url @param {number} number */
async function sendOrdinary(url, number) {
  const from = accounts[number % accounts.length]
  const fields = [
    { to: accounts[(number + 1) % accounts.length], value: '0x1' },
    // Logs its input.
    { data: '0x600b600c600039600b6000f3365f5f37365fa000000000' },
    ...(contract ? [{ to: contract, data: `0x${'ab'.repeat(32)}` }] : []),
  ]
  attempts++
  const field = turns++ % fields.length
  const hash = await rpc(url, 'eth_sendTransaction', [{ from, ...fields[field] }])
  ordinary.push({ hash, isCall: field === 2 })
  if (field === 1) deployment = hash
}

/** Finds the contract's address, once it is pre-confirmed. @param {string} url */
async function findContract(url) {
  if (contract !== '' || deployment === '') return
  const receipt = await rpc(url, 'eth_getTransactionReceipt', [deployment])
  contract = receipt?.contractAddress ?? ''
}

/** @type {Map<string, number>} How often what was tried found something. */
const findings = new Map()
/** @type {string[]} */
let accounts = []
let contract = ''
/** Hash of the transaction that deployed it. */
let deployment = ''
let attempts = 0
let turns = 0
/** @type {{ hash: string, isCall: boolean }[]} */
const ordinary = []
let peak = 0

/** @param {number} number @param {string} title @param {string} problem @param {string} [log] */
function report(number, title, problem, log = '') {
  const before = findings.get(title) ?? 0
  findings.set(title, before + 1)
  if (before > 0) return
  console.error(`✗ case ${number}, ${title}: ${problem}`)
  console.error(`  again: npm run fuzz -- --seed ${seed} --case ${number}`)
  if (log !== '') console.error(log.slice(0, 2_000))
}

/** A server whose chain is audited, and one that gets every method. */
const servers = { audited: await start(), free: await start() }
accounts = await rpc(servers.audited.url, 'eth_accounts')

/** A new chain has nothing of the old one. */
function forgetOrdinary() {
  ordinary.length = 0
  contract = ''
  deployment = ''
  attempts = 0
}

/** @param {number} number */
async function runCase(number) {
  // Two of three cases go to the audited chain.
  const name = Math.floor(number / 2) % 3 === 2 ? 'free' : 'audited'
  const target = servers[name]
  const made = makeCase(seed, number, target.discovered, accounts, name === 'audited')
  if (name === 'audited') {
    // A planned failure or a wait is not a finding.
    const sending = findContract(target.url).then(() => sendOrdinary(target.url, number))
    await Promise.race([sending.catch(() => {}), later(CASE_MS)])
  }
  /** @type {readonly string[]} */
  let answers = []
  /** @type {readonly import('node:net').Socket[]} */
  let sockets = []
  const signal = AbortSignal.timeout(CASE_MS)
  setMaxListeners(0, signal)
  if (made.over === 'raw') sockets = await sendRaw(target.url, made)
  else answers = await (made.over === 'ws' ? sendWebSocket : sendHttp)(target.url, made, signal)
  const dead = await checkAlive(target)
  for (const socket of sockets) socket.destroy()
  const log = target.takeErrors()
  const title = `${made.title}, over ${made.over}`
  if (dead !== undefined) {
    report(number, title, dead, log)
    target.child.kill('SIGKILL')
    await target.exited
    if (name === 'audited') forgetOrdinary()
    servers[name] = await start()
    return
  }
  const internal = answers.find((answer) => answer.includes(INTERNAL))
  if (internal) report(number, title, `the node answered with an internal error: ${internal.slice(0, 300)}`, log)
  // Whatever a client does, it is no error of the server.
  else if (log !== '') report(number, title, 'the server wrote an error', log)
  const wrong = made.judge?.(answers)
  if (wrong !== undefined) report(number, title, wrong)
}

console.log(`fuzz: seed ${seed}`)
if (only === undefined) await traceInSmallHeap()

/** Ends with an error if the server ends. */
async function traceInSmallHeap() {
  const small = await start(SMALL_HEAP)
  try {
    await traceWithoutEnd(small.url)
  } finally {
    small.child.kill('SIGTERM')
    await small.exited
  }
}

let cases = 0
if (only !== undefined) {
  await runCase(only)
  cases = 1
} else {
  const until = performance.now() + seconds * 1_000 * serverShare
  while (performance.now() < until) await runCase(cases++)
}
console.log(`fuzz: ${cases} cases, ${ordinary.length} ordinary transactions, ${Math.round(peak / 1e6)} MB at most`)

/** At the end the audited chain must be valid, and both servers must exit cleanly. */
async function audit() {
  const { url } = servers.audited
  // No planned failures may be left.
  await rpc(url, 'devnet_failNext', [{ methods: ['eth_getTransactionReceipt'], times: 0 }]).catch(() => {})
  const receipts = await Promise.all(ordinary.map(({ hash }) => rpc(url, 'eth_getTransactionReceipt', [hash])))
  const lost = ordinary.filter((_, i) => receipts[i] === null)
  if (lost.length > 0)
    report(cases, 'ordinary transactions are in the chain', `${lost.length} are not, ${lost[0]?.hash} for one`)
  const succeeded = receipts.filter((receipt) => receipt?.status === '0x1').length
  const logged = ordinary.filter(({ isCall }, i) => isCall && receipts[i]?.logs.length === 1).length
  console.log(
    `fuzz: ${succeeded} of ${attempts} ordinary transactions succeeded, ${logged} calls of the contract logged`,
  )
  if (only === undefined && succeeded < attempts * MIN_ORDINARY)
    report(cases, 'ordinary transactions succeed', `${succeeded} of ${attempts} did`)
  if (only === undefined && attempts > 12 && logged < (attempts * MIN_ORDINARY) / 6)
    report(cases, 'the contract is called', `${logged} of ${attempts} ordinary transactions did so and logged`)
  if (!existsSync(AUDIT)) {
    console.log('fuzz: the audit is SKIPPED, ../shared/checks is not beside the project')
    return
  }
  const head = Number(await rpc(url, 'eth_blockNumber'))
  const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-fuzz-'))
  const file = path.join(folder, 'report.json')
  const from = String(Math.max(0, head - AUDITED))
  const { status } = spawnSync('node', [AUDIT, url, from, String(head), '--fork', 'osaka', '--json', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  rmSync(folder, { recursive: true, force: true })
  if (status !== 0) report(cases, 'the chain passes the audit', `exit code ${status}`, text)
  else console.log(`fuzz: the audit passed, blocks ${from} to ${head}`)
}
await audit()

for (const { child, exited, takeErrors } of Object.values(servers)) {
  child.kill('SIGTERM')
  const ended = await Promise.race([exited, later(10_000)])
  if (ended?.[0] !== 0) report(cases, 'a server ends when it is asked to', `exit code ${ended?.[0]}`, takeErrors())
  child.kill('SIGKILL')
}

if (only === undefined) {
  for (const { title, file, share, count } of properties) {
    const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', file, '--silent'], {
      stdio: 'inherit',
      env: { ...process.env, FUZZ_SEED: String(seed), FUZZ_SECONDS: String((seconds * share) / count) },
    })
    if (status !== 0) report(cases, title, 'see above; --seed runs the same again')
  }
}

for (const [title, times] of findings) console.error(`✗ ${times} times: ${title}`)
if (findings.size > 0) {
  console.error(`fuzz: ${findings.size} findings; all again: npm run fuzz -- --seed ${seed} --seconds ${seconds}`)
  process.exitCode = 1
}
