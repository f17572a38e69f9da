// Runs official Ethereum state tests: every .json below the given folders, for the hardforks that the engine knows.
// Usage: npm run state-tests -- [--engine wasm|compiled|reference] FOLDER…
// Both forms of each transaction are run, its fields and its signed bytes.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

const HARDFORKS = /** @type {const} */ (['Cancun', 'Prague', 'Osaka'])
const NAMED = /TransactionException\./

/**
 * @typedef {import('./fixture.ts').StateTest} StateTest
 * @typedef {import('./fixture.ts').StateTestResult} StateTestResult
 * @typedef {{ data: number, gas: number, value: number }} Indexes
 * @typedef {{ hash: string, logs: string, indexes: Indexes, txbytes: `0x${string}`, expectException?: string }} Post
 * @typedef {StateTest['pre']} Pre
 * @typedef {Record<string, unknown> & Record<'data' | 'gasLimit' | 'value', string[]> & { accessLists?: unknown[] }} Transaction
 * @typedef {{ pre: Pre, env: StateTest['env'], transaction: Transaction, post: Record<string, Post[]>,
 *   config?: { chainid?: string } }} Fixture
 */

/** @type {{ runTx: (test: StateTest) => Promise<StateTestResult> }} */
const { runTx } = await import(path.resolve('dist/server/run-tx.js'))
const { values, positionals } = parseArgs({
  options: { engine: { type: 'string', default: 'wasm' } },
  allowPositionals: true,
})
if (positionals.length === 0) throw new Error('name folders with state tests')

/** @type {Map<string, { passed: number, failed: number }>} */
const counts = new Map(HARDFORKS.map((hardfork) => [hardfork, { passed: 0, failed: 0 }]))
for (const folder of positionals) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (file.endsWith('.json')) await runFile(path.join(folder, file))
  }
}
for (const [hardfork, { passed, failed }] of counts) console.log(`${hardfork}: ${passed} passed, ${failed} failed`)
const total = [...counts.values()]
if (total.every(({ passed, failed }) => passed + failed === 0)) throw new Error('there was nothing to run')
process.exitCode = total.every(({ failed }) => failed === 0) ? 0 : 1

/** @param {string} file */
async function runFile(file) {
  const fixtures = /** @type {Record<string, Partial<Fixture>>} */ (JSON.parse(readFileSync(file, 'utf8')))
  for (const [name, fixture] of Object.entries(fixtures)) {
    if (!fixture.post || !fixture.transaction) continue
    for (const hardfork of HARDFORKS) {
      for (const post of fixture.post[hardfork] ?? [])
        await runCase(name, /** @type {Fixture} */ (fixture), hardfork, post)
    }
  }
}

/**
 * @param {string} name
 * @param {Fixture} fixture
 * @param {StateTest['hardfork']} hardfork
 * @param {Post} post
 */
async function runCase(name, { pre, env, transaction, config }, hardfork, post) {
  const common = { hardfork, chainId: Number(config?.chainid ?? 1), pre, env, engine: engineName() }
  const problems = []
  for (const tx of [fieldsOf(transaction, post.indexes), post.txbytes]) {
    const problem = await runTx({ ...common, tx }).then(
      (result) => objection(result, post),
      (error) => String(error),
    )
    if (problem) problems.push(`${typeof tx === 'string' ? 'txbytes' : 'fields'}: ${problem}`)
  }
  const count = counts.get(hardfork)
  if (count) count[problems.length === 0 ? 'passed' : 'failed']++
  const { data, gas, value } = post.indexes
  if (problems.length > 0) console.log(`${hardfork} ${name} [${data}, ${gas}, ${value}]: ${problems.join('; ')}`)
}

/** @returns {NonNullable<StateTest['engine']>} */
function engineName() {
  const { engine } = values
  if (engine === 'wasm' || engine === 'compiled' || engine === 'reference') return engine
  throw new Error('--engine takes wasm, compiled or reference')
}

/**
 * @param {Transaction} transaction
 * @param {Indexes} indexes
 */
function fieldsOf({ data, gasLimit, value, accessLists, ...rest }, indexes) {
  const fields = {
    ...rest,
    data: data[indexes.data],
    gasLimit: gasLimit[indexes.gas],
    value: value[indexes.value],
    accessList: accessLists?.[indexes.data] ?? null,
  }
  return /** @type {import('./fixture.ts').FixtureTransaction} */ (/** @type {unknown} */ (fields))
}

/**
 * @param {StateTestResult} result
 * @param {Post} post
 */
function objection({ stateRoot, logsHash, exception }, { hash, logs, expectException }) {
  if (stateRoot !== hash) return `state ${stateRoot} and not ${hash} (${exception ?? 'valid'})`
  if (logsHash !== logs) return `logs ${logsHash} and not ${logs}`
  if (!expectException) return exception && `${exception}, but it is valid`
  if (!exception) return `valid, but ${expectException}`
  // Older fixtures use other names.
  const isNamed = NAMED.test(expectException) && !expectException.split('|').includes(exception)
  return isNamed ? `${exception} and not ${expectException}` : undefined
}
