// The reporters of the installed package: a suite of Playwright whose workers and retries are put together, and one of
// Vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Counter {
    uint256 public count;
    function raise(uint256 by) external {
        require(by > 0, "nothing");
        if (by > 10) {
            count += 10;
        } else {
            count += by;
        }
    }
    function clear() external {
        count = 0;
    }
}
`

const CONFIG = `
import { defineConfig } from '@playwright/test'
export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  retries: 1,
  reporter: [['list'], ['blinknet/playwright-reporter', { gas: { budget: { 'Counter.raise': 100_000 } } }]],
  use: { launchOptions: { executablePath: process.env['CHROMIUM_PATH'] || undefined, args: ['--no-sandbox'] } },
})
`

const COMMON = `
import { readFileSync } from 'node:fs'
import { encodeFunctionData } from 'viem'
const [{ output }] = [JSON.parse(readFileSync('artifacts/build-info/counter.json', 'utf8'))]
const { abi, evm } = output.contracts['contracts/Counter.sol'].Counter
export async function raise(chain, by) {
  const [from] = await chain.request({ method: 'eth_accounts' })
  const send = async (tx) => {
    const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, gas: '0x100000', ...tx }] })
    await chain.tick()
    return chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  }
  const { contractAddress: to } = await send({ data: '0x' + evm.bytecode.object })
  return send({ to, data: encodeFunctionData({ abi, functionName: 'raise', args: [by] }) })
}
`

const SPEC = `
import { expect, test } from 'blinknet/playwright'
import { raise } from '../common.mjs'
for (const by of [0n, 5n]) {
  test('raises by ' + by, async ({ chain }, { retry }) => {
    const { status } = await raise(chain, by)
    expect(status).toBe(by === 0n ? '0x0' : '0x1')
    expect(retry).toBe(by === 0n ? 0 : 1)
  })
}
`

const VITEST_CONFIG = `
import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: {
    include: ['unit/*.test.mjs'],
    reporters: ['default', ['blinknet/vitest-reporter', { outputFolder: 'unit-coverage', thresholds: { functions: 100 } }]],
  },
})
`

const VITEST = `
import { createChain } from 'blinknet'
import { expect, test } from 'vitest'
import { raise } from '../common.mjs'
test('raises by 20', async () => {
  const chain = await createChain({ clock: 'manual' })
  expect((await raise(chain, 20n)).status).toBe('0x1')
  await chain.close()
})
`

/**
 * @param {string} folder - Where the package is installed.
 * @param {string} chromium - Its program.
 * @returns {readonly string[]} What was found to be so.
 */
export function testCoverage(folder, chromium) {
  const cwd = path.join(folder, 'coverage-project')
  const files = {
    'package.json': '{ "type": "module", "private": true }\n',
    'contracts/Counter.sol': SOURCE,
    'artifacts/build-info/counter.json': JSON.stringify({ id: 'counter', ...compile() }),
    'playwright.config.ts': CONFIG,
    'common.mjs': COMMON,
    'tests/counter.spec.ts': SPEC,
    'vitest.config.mjs': VITEST_CONFIG,
    'unit/counter.test.mjs': VITEST,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true })
    writeFileSync(path.join(cwd, name), text)
  }
  const vitest = path.join(folder, 'node_modules/vitest')
  if (!existsSync(vitest)) symlinkSync(realpathSync('node_modules/vitest'), vitest)
  const env = { ...process.env, CHROMIUM_PATH: chromium, CI: '' }
  const run = (/** @type {readonly string[]} */ args) => spawnSync('node', args, { cwd, env, encoding: 'utf8' })

  const suite = run(['../node_modules/@playwright/test/cli.js', 'test', '--workers=2'])
  expectText(suite, ['1 flaky', '1 passed', 'Solidity: lines 60 % (3/5), functions 50 % (1/2), branches 75 % (3/4)'])
  expectText(suite, ['Gas: 5 transactions to 2 functions', 'wrote gas.json'])
  const lcov = readFileSync(path.join(cwd, 'coverage/lcov.info'), 'utf8')
  if (!lcov.includes('FNDA:3,Counter.raise\n')) throw new Error(`hits of three executions are missing:\n${lcov}`)
  for (const name of ['index.html', 'base.css', 'sorter.js']) readFileSync(path.join(cwd, 'coverage/lcov-report', name))

  // As if an earlier run had been cheaper.
  const gas = path.join(cwd, 'gas.json')
  writeFileSync(gas, readFileSync(gas, 'utf8').replaceAll(/"median": \d+/g, '"median": 20000'))
  const unit = run(['../node_modules/vitest/vitest.mjs', 'run'])
  expectText(unit, ['Solidity: lines 60 % (3/5)', 'more: contracts/Counter.sol:Counter raise(uint256)'])
  expectText(unit, ['failed: 50 % of functions are covered, fewer than 100 %'])
  if (unit.status !== 1) throw new Error('a run below its thresholds has not failed')
  return [
    'Playwright’s reporter puts workers and retries together, and writes pages, lcov and gas',
    'Vitest’s reporter compares the gas, and fails a run below its thresholds',
  ]
}

/** @param {import('node:child_process').SpawnSyncReturns<string>} run @param {readonly string[]} texts */
function expectText({ stdout, stderr }, texts) {
  for (const text of texts) {
    if (!stdout.includes(text)) throw new Error(`${JSON.stringify(text)} is not in:\n${stdout}\n${stderr}`)
  }
}

function compile() {
  const solc = /** @type {{ compile(input: string): string }} */ (createRequire(import.meta.url)('solc'))
  const input = {
    language: 'Solidity',
    sources: { 'contracts/Counter.sol': { content: SOURCE } },
    settings: {
      outputSelection: { '*': { '': ['ast'], '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'] } },
    },
  }
  return { input, output: JSON.parse(solc.compile(JSON.stringify(input))) }
}
