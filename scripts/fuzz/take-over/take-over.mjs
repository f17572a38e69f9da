// Nodes of several containers on one `--data` directory, which are stopped (SIGSTOP), continued and killed as chance has
// it. Each stops itself before a step of a random number in the directory, and is stopped and continued from outside as
// well. While they run, each gets transfers. Afterwards there must be one journal; a node must open it; whatever a node
// has acknowledged is there, and nothing that a node has refused after another had taken over. Needs
// `npm run build:server`.
//
//   npm run fuzz:take-over -- [--schedules 200] [--seed N] [--only N] [--server dist/server/main.js]
//
// `--seed N --only M` repeats one schedule, as far as the machine takes the same times.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomOf } from '../random.mjs'

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '4' },
    seed: { type: 'string' },
    only: { type: 'string' },
    server: { type: 'string', default: 'dist/server/main.js' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const schedules = Number(values.schedules)
if (![seed, schedules, Number(values.only ?? 0)].every((n) => Number.isInteger(n) && n >= 0)) {
  console.error('--schedules, --seed and --only take whole numbers')
  process.exit(2)
}

const STAND_STILL = path.resolve(import.meta.dirname, 'stand-still.mjs')
/** Exit code of a node whose directory was taken over. */
const TAKEN_OVER = 3
/** Steps that a node takes in the directory in the first second of its life. */
const STEPS = 200
const RECEIVER = '0x00000000000000000000000000000000000000aa'
/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGSTOP', 'SIGCONT', 'SIGCONT', 'SIGKILL', 'SIGTERM']
/** Milliseconds after which an answer of a node that may stand still is not awaited any more. */
const ANSWER_MS = 3_000
const ENDS_MS = 10_000

/** @param {string} url @param {string} method @param {unknown[]} params */
async function call(url, method, params = []) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  return response.json()
}

/** A node of a container. */
class Member {
  /** Values of transfers that it has acknowledged. @type {number[]} */
  acknowledged = []
  /** Values of transfers that it has refused although another node was already running. @type {number[]} */
  refused = []
  said = ''
  /** @type {string | undefined} */
  url
  /** @type {number | null | undefined} */
  code
  isOver = false

  /** @param {string} directory @param {string} place @param {number} stopAt */
  constructor(directory, place, stopAt) {
    const args = [
      '--port',
      '0',
      '--no-ui',
      '--threads',
      '1',
      '--partial-ms',
      '50',
      '--partials',
      '4',
      '--data',
      directory,
    ]
    this.place = place
    this.child = spawn(process.execPath, ['--import', STAND_STILL, values.server, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TAKE_OVER: JSON.stringify({ directory, place, stopAt }) },
    })
    this.exited = once(this.child, 'exit').then(([code]) => {
      this.code = code
    })
    this.child.stderr.on('data', (text) => {
      this.said += text
    })
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.url ??= /Listening on (http:\S+)/.exec(line)?.[1]
    })
  }

  get isRunning() {
    return this.code === undefined && this.child.signalCode === null
  }

  /** Whether it stands still. */
  get isStopped() {
    try {
      const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
    } catch {
      return false
    }
  }

  /** Sends one transfer, whose value tells it from all others. @param {number} value */
  async send(value) {
    if (this.url === undefined) return
    const wasOver = this.isOver
    try {
      const [from] = (await call(this.url, 'eth_accounts')).result
      const { result, error } = await call(this.url, 'eth_sendTransaction', [
        { from, to: RECEIVER, value: `0x${value.toString(16)}`, gas: '0x5208' },
      ])
      if (result) this.acknowledged.push(value)
      else if (wasOver && error) this.refused.push(value)
    } catch {
      // A node that does not answer stands still or has ended: nobody knows.
    }
  }
}

/** Values of all transfers of the chain. @param {string} url */
async function transfersOf(url) {
  const found = new Set()
  // In this order: meanwhile they go from the pool into the live block, and with it into a sealed one.
  const { pending, queued } = (await call(url, 'txpool_content')).result
  for (const byNonce of [...Object.values(pending), ...Object.values(queued)]) {
    for (const { value } of Object.values(byNonce)) found.add(Number(value))
  }
  const addBlock = async (/** @type {string} */ tag) => {
    const { result } = await call(url, 'eth_getBlockByNumber', [tag, true])
    for (const { value } of result.transactions) found.add(Number(value))
  }
  await addBlock('pending')
  const head = Number((await call(url, 'eth_blockNumber')).result)
  for (let number = 0; number <= head; number++) await addBlock(`0x${number.toString(16)}`)
  return found
}

/** Waits until the node listens, stands still or has ended. @param {Member} member */
async function settles(member) {
  for (let waited = 0; waited < ENDS_MS; waited += 20) {
    if (member.url !== undefined || !member.isRunning || member.isStopped) return
    await wait(20)
  }
  throw new Error(`${member.place} neither listens nor ends: ${member.said}`)
}

/** @param {number} number */
async function play(number) {
  const random = randomOf(seed * 1_000_003 + number)
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit)
  const directory = mkdtempSync(path.join(tmpdir(), 'blinknet-take-over-'))
  /** @type {Member[]} */
  const members = []
  const happened = []
  let value = 0
  const ending = new AbortController()
  const sending = (async () => {
    while (!ending.signal.aborted) {
      await Promise.race([
        Promise.all(members.filter((each) => each.isRunning).map((each) => each.send(++value))),
        wait(60),
      ])
      await wait(15)
    }
  })()
  try {
    const many = 2 + below(2)
    for (let index = 0; index < many; index++) {
      const stopAt = below(4) === 0 ? 0 : 1 + below(STEPS)
      const member = new Member(directory, `place ${index}`, stopAt)
      members.push(member)
      happened.push(`${index} starts, stops at step ${stopAt}`)
      await settles(member)
      // From here on the others are no longer lawful, if this one runs.
      if (member.url !== undefined && !member.isStopped) for (const each of members.slice(0, -1)) each.isOver = true
      for (let rounds = below(4); rounds > 0; rounds--) {
        await wait(below(120))
        const whom = members[below(members.length)]
        const signal = SIGNALS[below(SIGNALS.length)]
        if (!whom) continue
        happened.push(`${signal} to ${members.indexOf(whom)}`)
        if (whom.isRunning) whom.child.kill(signal)
      }
      const last = index === many - 1
      if (!last) await wait(below(200))
      // The next one finds somebody who stands still, has ended, or runs on.
      if (!last && below(3) > 0 && member.isRunning) member.child.kill('SIGSTOP')
    }
    for (const each of members) if (each.isRunning) each.child.kill('SIGCONT')
    await wait(100 + below(300))
    for (const each of members) if (each.isRunning) each.child.kill('SIGTERM')
    const ended = Promise.all(members.map(({ exited }) => exited)).then(() => 'ended')
    // One that was about to stop itself does so only now.
    const going = setInterval(() => members.forEach((each) => each.isRunning && each.child.kill('SIGCONT')), 100)
    const outcome = await Promise.race([ended, wait(ENDS_MS, 'hangs')])
    clearInterval(going)
    if (outcome !== 'ended') throw new Error('a node did not end')
    ending.abort()
    await sending

    const problems = []
    const journals = readdirSync(directory).filter((name) => name === 'blinknet.journal')
    if (journals.length !== 1 && members.some(({ acknowledged }) => acknowledged.length > 0))
      problems.push('no journal')
    const reader = new Member(directory, 'place of the reader', 0)
    await settles(reader)
    if (reader.url === undefined) problems.push(`the chain does not open: ${reader.said}`)
    else {
      const found = await transfersOf(reader.url)
      for (const { place, acknowledged, refused } of members) {
        const lost = acknowledged.filter((each) => !found.has(each))
        if (lost.length > 0) problems.push(`${place} acknowledged ${lost.length} transfers that are not there`)
        const foreign = refused.filter((each) => found.has(each))
        if (foreign.length > 0) problems.push(`${place} refused ${foreign.length} transfers that are there`)
      }
      reader.child.kill('SIGTERM')
      await reader.exited
    }
    for (const { code, said, place, child } of members) {
      const isTold = /was taken over by/.test(said)
      if (code === TAKEN_OVER && !isTold) problems.push(`${place} does not say who took over`)
      if (isTold && code !== TAKEN_OVER && child.signalCode === null)
        problems.push(`${place} ends with exit code ${code}`)
      if (/internal error|UnhandledPromise|TypeError/.test(said)) problems.push(`${place} says: ${said}`)
    }
    const counts = members.map(
      ({ acknowledged, code, child }) => `${acknowledged.length} (${code ?? child.signalCode})`,
    )
    return { problems, happened, counts, takenOver: members.filter(({ code }) => code === TAKEN_OVER).length }
  } finally {
    ending.abort()
    for (const { child } of members) child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

let failed = 0
let takenOver = 0
const numbers = values.only === undefined ? Array.from({ length: schedules }, (_, n) => n) : [Number(values.only)]
for (const number of numbers) {
  const outcome = await play(number).catch((error) => ({
    problems: [String(error)],
    happened: [],
    counts: [],
    takenOver: 0,
  }))
  takenOver += outcome.takenOver
  if (outcome.problems.length === 0) continue
  failed++
  console.error(
    `--seed ${seed} --only ${number}:\n  ${outcome.problems.join('\n  ')}\n  ${outcome.happened.join('; ')}\n  ${outcome.counts.join(', ')}`,
  )
}
console.log(
  `${numbers.length} schedules of seed ${seed}: ${failed} failed, ${takenOver} nodes ended because another took over`,
)
process.exit(failed === 0 ? 0 : 1)
