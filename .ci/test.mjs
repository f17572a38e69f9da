// `npm test`: every check there is, cheapest first. All run; one that fails fails the whole. Those of a group that use one
// core run side by side; all others use both cores, or are timed, and run alone.
// What failed is printed once more at the end, where it is found without scrolling through what passed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'

/** Exit code of a part that could not run here and says so. */
const SKIPPED = 77

/** As many of the last lines of a part that failed are repeated. */
const REPEATED_LINES = 150

/** What a line of a test that passed begins with, after its colours. */
const PASSED_LINE = /^\s*✓/u

/** @typedef {{ name: string, script: string, needs?: string }} Part */

/** @type {readonly (readonly Part[])[]} */
const GROUPS = [
  [
    { name: 'lint', script: 'lint' },
    { name: 'types', script: 'types' },
    { name: 'build', script: 'build' },
    { name: 'dead code', script: 'deadcode' },
    { name: 'format', script: 'format:check' },
  ],
  [{ name: 'size', script: 'size', needs: 'build' }],
  [{ name: 'unit', script: 'test:unit' }],
  [{ name: 'clients', script: 'test:clients' }],
  [{ name: 'browser', script: 'test:e2e', needs: 'build' }],
  [{ name: 'engines', script: 'test:engines', needs: 'build' }],
  [{ name: 'fuzz', script: 'fuzz', needs: 'build' }],
  [{ name: 'chain', script: 'checks', needs: 'build' }],
]

/** As many parts of a group run at a time. */
const SIDE_BY_SIDE = 2

/** @type {Map<string, { outcome: 'passed' | 'failed' | 'skipped' | 'not run', seconds: number, output: string }>} */
const results = new Map()

/**
 * Runs a script of package.json.
 *
 * @param {string} script
 * @param {boolean} live - Prints what it prints as it comes.
 */
async function run(script, live) {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text
      if (live) to.write(text)
    })
  }
  const [status] = await once(child, 'close')
  return { status, output }
}

/**
 * @param {Part} part
 * @param {boolean} live
 */
async function runPart({ name, script, needs }, live) {
  if (needs && results.get(needs)?.outcome !== 'passed') {
    results.set(name, { outcome: 'not run', seconds: 0, output: '' })
    return
  }
  if (live) console.log(`\n▶ ${name}: npm run ${script}`)
  const started = performance.now()
  const { status, output } = await run(script, live)
  const seconds = (performance.now() - started) / 1000
  const outcome = status === 0 ? 'passed' : status === SKIPPED ? 'skipped' : 'failed'
  results.set(name, { outcome, seconds, output })
  if (!live) console.log(`\n▶ ${name}: npm run ${script}, ${outcome}\n${output.trimEnd()}`)
}

/** The last lines of what a part printed, without colours and without the tests that passed. @param {string} output */
function tail(output) {
  const lines = stripVTControlCharacters(output).split('\n')
  return lines.filter((line) => !PASSED_LINE.test(line)).slice(-REPEATED_LINES)
}

for (const group of GROUPS) {
  const waiting = [...group]
  const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) await runPart(part, group.length === 1)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
}

for (const [name, { outcome, output }] of results) {
  if (outcome === 'failed') console.log(`\n✗ ${name}, its last lines:\n${tail(output).join('\n')}`)
}

console.log('\nparts of the test:')
for (const [name, { outcome, seconds }] of results) {
  console.log(`  ${outcome.padEnd(8)} ${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s`)
}
const count = (/** @type {string} */ wanted) => [...results.values()].filter(({ outcome }) => outcome === wanted).length
const failed = count('failed') + count('not run')
console.log(`${count('passed')} parts passed, ${failed} failed or not run, ${count('skipped')} skipped`)
process.exitCode = failed === 0 ? 0 : 1
