// `npm test`: every check there is, one after another, cheapest first. All run; one that fails fails the whole.
import { spawnSync } from 'node:child_process'

/** Exit code of a part that could not run here and says so. */
const SKIPPED = 77

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
  { name: 'chain', script: 'checks', needs: 'build' },
]

/** @type {Map<string, { outcome: 'passed' | 'failed' | 'skipped' | 'not run', seconds: number }>} */
const results = new Map()

for (const { name, script, needs } of PARTS) {
  if (needs && results.get(needs)?.outcome !== 'passed') {
    results.set(name, { outcome: 'not run', seconds: 0 })
    continue
  }
  console.log(`\n▶ ${name}: npm run ${script}`)
  const started = performance.now()
  const { status, error } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' })
  if (error) throw error
  const seconds = (performance.now() - started) / 1000
  const outcome = status === 0 ? 'passed' : status === SKIPPED ? 'skipped' : 'failed'
  results.set(name, { outcome, seconds })
}

console.log('\nparts of the test:')
for (const [name, { outcome, seconds }] of results) {
  console.log(`  ${outcome.padEnd(8)} ${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s`)
}
const count = (/** @type {string} */ wanted) => [...results.values()].filter(({ outcome }) => outcome === wanted).length
const failed = count('failed') + count('not run')
console.log(`${count('passed')} parts passed, ${failed} failed or not run, ${count('skipped')} skipped`)
process.exitCode = failed === 0 ? 0 : 1
