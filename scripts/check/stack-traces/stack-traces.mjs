// `npm run stack-traces` asks Hardhat's node and forge where each scenario of `failures.sol` fails, and writes their answers
// beside it: `src/solidity/stack/explain-failure.test.ts` holds ours against them. Run it when `failures.sol` changes. It
// installs Hardhat from the npm registry, for its node is not among what the project needs (see `../hardhat`).
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { askFoundry } from './foundry.mjs'

/** @typedef {import('./scenarios.d.ts').Scenarios} Scenarios */
/** @typedef {{ dependencies: Record<string, string> }} Package */

const TEST = 'src/solidity/stack/explain-failure.test.ts'
const RECORDED = 'src/testing/solidity/reference-stacks.json'

/** @param {string} file */
const readPackage = (file) => /** @type {Package & { version: string }} */ (JSON.parse(readFileSync(file, 'utf8')))

const { hardhat: HARDHAT = '' } = readPackage('scripts/check/hardhat/package.json').dependencies
const FORGE = readPackage('node_modules/@foundry-rs/forge/package.json').version

const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-stack-traces-'))
try {
  const scenarios = path.join(folder, 'scenarios.json')
  const vitest = ['vitest', 'run', '--project', 'unit', TEST, '--testNamePattern', 'writes']
  execFileSync('npx', vitest, { env: { ...process.env, STACK_SCENARIOS: scenarios }, stdio: 'inherit' })
  const { variants } = /** @type {Scenarios} */ (JSON.parse(readFileSync(scenarios, 'utf8')))

  const hardhat = path.join(folder, 'hardhat')
  mkdirSync(hardhat)
  writeFileSync(
    path.join(hardhat, 'package.json'),
    JSON.stringify({ private: true, dependencies: { hardhat: HARDHAT } }),
  )
  writeFileSync(path.join(hardhat, 'hardhat.config.js'), "module.exports = { solidity: '0.8.30' }\n")
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: hardhat, stdio: 'inherit' })
  const asked = spawnSync(process.execPath, [path.resolve('scripts/check/stack-traces/hardhat.mjs')], {
    cwd: hardhat,
    input: readFileSync(scenarios),
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  })
  if (asked.status !== 0) throw new Error('Hardhat did not answer')

  const foundry = Object.fromEntries(
    Object.entries(variants).map(([variant, asks], index) => {
      const project = path.join(folder, `foundry-${index}`)
      mkdirSync(project)
      return [variant, askFoundry(asks, project)]
    }),
  )
  const source = readFileSync('src/testing/solidity/contracts/failures.sol')
  const recorded = {
    source: createHash('sha256').update(source).digest('hex'),
    Hardhat: { version: HARDHAT, told: /** @type {unknown} */ (JSON.parse(asked.stdout.toString())) },
    Foundry: { version: FORGE, told: foundry },
  }
  // A scenario on a line.
  const text = JSON.stringify(recorded, null, 2).replaceAll(/\[[^[\]{}]*\]/g, (list) => list.replaceAll(/\s+/g, ' '))
  writeFileSync(RECORDED, `${text.replaceAll('[ ', '[').replaceAll(' ]', ']')}\n`)
  execFileSync('npx', ['biome', 'format', '--write', RECORDED], { stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true })
}
