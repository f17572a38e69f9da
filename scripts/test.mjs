// `npm test`: runs all checks, and fails if one of them fails. Up to three parts run at a time: there are two cores, and
// most parts wait now and then. Parts that measure time run at the normal priority, one after the other, and the others
// yield to them. The browser part, which uses both cores by itself, comes last and alone. The output of failed parts is
// repeated at the end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { stripVTControlCharacters } from 'node:util'

/** @typedef {import('node:stream').Readable} Readable */

/** Exit code of a part that cannot run here and says so. */
const SKIPPED = 77

/** How many of a failed part's last lines are repeated. */
const REPEATED_LINES = 150

/** Start of the line of a passed test, after its colours. */
const PASSED_LINE = /^\s*✓/u

/**
 * The `nice` value of a part that yields: lower than its neighbour's priority, but not starved by other work on the
 * machine.
 */
const YIELDING = 10

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} script - Of package.json.
 * @property {readonly string[]} [needs] - The parts without which it cannot run.
 * @property {'first' | 'measures' | 'alone'} [how] - Default: it yields to what runs beside it.
 */

/** In the order in which they start, unless one has to wait. @type {readonly Part[]} */
const PARTS = [
  { name: 'build', script: 'build', how: 'first' },
  { name: 'browsers', script: 'browsers', how: 'first' },
  { name: 'format', script: 'format:check' },
  { name: 'lint', script: 'lint' },
  { name: 'chain', script: 'checks', needs: ['build'], how: 'measures' },
  { name: 'engines', script: 'test:engines', needs: ['build', 'browsers'], how: 'measures' },
  { name: 'types', script: 'types' },
  { name: 'unit', script: 'test:unit' },
  { name: 'package', script: 'package', needs: ['build', 'browsers'] },
  { name: 'clients', script: 'test:clients' },
  { name: 'fuzz', script: 'fuzz:server', needs: ['build'] },
  { name: 'take-over', script: 'fuzz:take-over', needs: ['build'] },
  { name: 'dead code', script: 'deadcode' },
  { name: 'size', script: 'size', needs: ['build'] },
  { name: 'browser', script: 'test:e2e', needs: ['build', 'browsers'], how: 'alone' },
]

/** How long processes left by a part may hold its output open, in milliseconds. */
const LEFTOVERS_MS = 5_000

/** Runs a script, and says what processor time it and all that it waited for took. */
const WITH_TIMES = 'npm run --silent "$0" 3>&-; status=$?; times >&3; exit $status'

/** How many parts run at a time. */
const SIDE_BY_SIDE = 3

/**
 * @typedef {object} Result
 * @property {'passed' | 'failed' | 'skipped' | 'not run'} outcome
 * @property {number} seconds
 * @property {number} processorSeconds
 * @property {string} output
 */

/** @type {Map<string, Result>} */
const results = new Map()

/**
 * @param {Part} part
 * @param {boolean} live - Whether to print its output as it comes.
 */
async function run({ script, how }, live) {
  // Compiler and linter are written in Go: fewer collections save them a fifth of their processor time.
  const env = { GOGC: '400', ...process.env }
  const child = spawn('bash', ['-c', WITH_TIMES, script], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env })
  // Set before it starts other processes, which inherit the priority.
  if (how === undefined && child.pid !== undefined) setPriority(child.pid, YIELDING)
  const [, stdout, stderr, shell] = /** @type {[null, Readable, Readable, Readable]} */ (
    /** @type {unknown} */ (child.stdio)
  )
  let output = ''
  for (const [from, to] of /** @type {const} */ ([
    [stdout, process.stdout],
    [stderr, process.stderr],
  ])) {
    from.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text
      if (live) to.write(text)
    })
  }
  let times = ''
  shell.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    times += text
  })
  const closed = once(child, 'close')
  const [status] = await once(child, 'exit')
  // A process that the part left behind keeps the pipes open; it must not hold up the other parts.
  const left = setTimeout(() => {
    output += `\nleft a process running, which was not waited for\n`
    for (const pipe of [stdout, stderr, shell]) pipe.destroy()
  }, LEFTOVERS_MS)
  await closed
  clearTimeout(left)
  return { status, output, processorSeconds: secondsIn(times) }
}

/** Seconds in the output of the shell's `times`: minutes and seconds in its own code and the kernel's. @param {string} times */
function secondsIn(times) {
  const spans = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
  return spans.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}

/** @param {Part} part */
async function runPart(part) {
  const { name, script, needs = [], how } = part
  if (needs.some((needed) => results.get(needed)?.outcome !== 'passed')) {
    results.set(name, { outcome: 'not run', seconds: 0, processorSeconds: 0, output: '' })
    return
  }
  const live = how === 'alone'
  console.log(`\n▶ ${name}: npm run ${script}`)
  const started = performance.now()
  const { status, output, processorSeconds } = await run(part, live)
  const seconds = (performance.now() - started) / 1000
  const outcome = status === 0 ? 'passed' : status === SKIPPED ? 'skipped' : 'failed'
  results.set(name, { outcome, seconds, processorSeconds, output })
  if (!live) console.log(`\n▶ ${name}, ${outcome} after ${seconds.toFixed(1)} s\n${output.trimEnd()}`)
}

/** The last lines of a part's output, without colours and without passed tests. @param {string} output */
function tail(output) {
  const lines = stripVTControlCharacters(output).split('\n')
  return lines.filter((line) => !PASSED_LINE.test(line)).slice(-REPEATED_LINES)
}

/** @type {Map<Part, Promise<void>>} */
const running = new Map()

/** Whether a part may start beside those that run. @param {Part} part */
function mayStart({ needs = [], how }) {
  if (!needs.every((needed) => results.has(needed))) return false
  if (how === 'alone') return running.size === 0
  return how !== 'measures' || [...running.keys()].every((other) => other.how !== 'measures')
}

const waiting = [...PARTS]
while (waiting.length > 0 || running.size > 0) {
  const next = running.size < SIDE_BY_SIDE ? waiting.findIndex(mayStart) : -1
  const [part] = next === -1 ? [] : waiting.splice(next, 1)
  if (part)
    running.set(
      part,
      runPart(part).finally(() => running.delete(part)),
    )
  else await Promise.race(running.values())
}

for (const [name, { outcome, output }] of results) {
  if (outcome === 'failed') console.log(`\n✗ ${name}, its last lines:\n${tail(output).join('\n')}`)
}

console.log('\nparts of the test, their time, and how much of it a processor worked:')
for (const [name, { outcome, seconds, processorSeconds }] of results) {
  const times = [seconds, processorSeconds].map((time) => `${time.toFixed(1).padStart(6)} s`)
  console.log(`  ${outcome.padEnd(8)} ${name.padEnd(10)} ${times.join(' ')}`)
}
const count = (/** @type {string} */ wanted) => [...results.values()].filter(({ outcome }) => outcome === wanted).length
const failed = count('failed') + count('not run')
console.log(`${count('passed')} parts passed, ${failed} failed or not run, ${count('skipped')} skipped`)
process.exitCode = failed === 0 ? 0 : 1
