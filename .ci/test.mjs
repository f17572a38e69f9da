// `npm test`: every check there is, one after another, cheapest first. All run; one that fails fails the whole.
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

/** @type {readonly { name: string, script: string, needs?: string }[]} */
const PARTS = [
  { name: 'format', script: 'format:check' },
  { name: 'lint', script: 'lint' },
  { name: 'types', script: 'types' },
  { name: 'dead code', script: 'deadcode' },
  { name: 'unit', script: 'test:unit' },
  { name: 'clients', script: 'test:clients' },
  { name: 'build', script: 'build' },
  { name: 'size', script: 'size', needs: 'build' },
  { name: 'browser', script: 'test:e2e', needs: 'build' },
  { name: 'engines', script: 'test:engines', needs: 'build' },
  { name: 'chain', script: 'checks', needs: 'build' },
]

/** @type {Map<string, { outcome: 'passed' | 'failed' | 'skipped' | 'not run', seconds: number, output: string }>} */
const results = new Map()

/** Runs a script of package.json and prints what it prints. @param {string} script */
async function run(script) {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text
      to.write(text)
    })
  }
  const [status] = await once(child, 'close')
  return { status, output }
}

/** The last lines of what a part printed, without colours and without the tests that passed. @param {string} output */
function tail(output) {
  const lines = stripVTControlCharacters(output).split('\n')
  return lines.filter((line) => !PASSED_LINE.test(line)).slice(-REPEATED_LINES)
}

for (const { name, script, needs } of PARTS) {
  if (needs && results.get(needs)?.outcome !== 'passed') {
    results.set(name, { outcome: 'not run', seconds: 0, output: '' })
    continue
  }
  console.log(`\n▶ ${name}: npm run ${script}`)
  const started = performance.now()
  const { status, output } = await run(script)
  const seconds = (performance.now() - started) / 1000
  const outcome = status === 0 ? 'passed' : status === SKIPPED ? 'skipped' : 'failed'
  results.set(name, { outcome, seconds, output })
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
