// A fork as a file, on the command and the fixtures of the installed package: a suite is recorded, and runs without the chain
// that it was recorded of; the file is checked and updated. And a suite whose chains are prepared is run twice.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { withNode } from './examples.mjs'

const HOLDER = `0x${'99'.repeat(20)}`
const STRANGER = `0x${'88'.repeat(20)}`

const CONFIG = `
import { defineConfig } from '@playwright/test'
export default defineConfig({
  testDir: 'tests',
  reporter: 'list',
  fullyParallel: true,
  use: { launchOptions: { executablePath: process.env['CHROMIUM_PATH'] || undefined, args: ['--no-sandbox'] } },
})
`

const FORKED = `
import { expect, test } from 'blinknet/playwright'
test.use({ chain: { fork: 'tests.fork' } })
const ask = (chain: { request: (call: never) => Promise<unknown> }, account: string) =>
  chain.request({ method: 'eth_getBalance', params: [account, 'latest'] } as never)
for (const which of ['one', 'two', 'three', 'four']) {
  test(\`test \${which} pays\`, async ({ chain }) => {
    const [from] = await chain.request({ method: 'eth_accounts' })
    const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: '${HOLDER}', value: '0x2' }] })
    await chain.seal()
    await expect(chain).toHaveSealed(hash)
    expect(await ask(chain, '${HOLDER}')).toBe('0x9')
    if (process.env['MORE']) await ask(chain, '${STRANGER}').catch(() => {})
  })
}
`

const PREPARED = `
import { expect, type PreparedChains, test } from 'blinknet/playwright'
async function run({ chain }: PreparedChains) {
  console.log('PREPARING')
  await chain.request({ method: 'anvil_setBalance', params: ['${HOLDER}', '0x5'] })
  await chain.seal()
  return { holder: '${HOLDER}' as const }
}
test.use({ preparation: { run, dependsOn: ['tests/*.ts'] } })
test('what was prepared is there', async ({ chain, prepared }) => {
  const { holder } = prepared as { holder: '${HOLDER}' }
  expect(await chain.request({ method: 'eth_getBalance', params: [holder, 'latest'] })).toBe('0x5')
})
`

/**
 * Runs the walk.
 *
 * @param {string} folder - In which the package is installed.
 * @param {string} browser - Path of a browser.
 * @returns {Promise<readonly string[]>} What was found, a line each.
 * @throws {Error} If anything is not so.
 */
export async function testForkFile(folder, browser) {
  const cwd = path.join(folder, 'fork-file')
  mkdirSync(path.join(cwd, 'tests'), { recursive: true })
  // The folder's own modules, so that what is kept between runs is its own, too.
  mkdirSync(path.join(cwd, 'node_modules/@playwright'), { recursive: true })
  for (const name of ['blinknet', '@playwright/test']) {
    symlinkSync(path.join(folder, 'node_modules', name), path.join(cwd, 'node_modules', name))
  }
  writeFileSync(path.join(cwd, 'package.json'), '{ "type": "module", "private": true }\n')
  writeFileSync(path.join(cwd, 'playwright.config.ts'), CONFIG)
  writeFileSync(path.join(cwd, 'tests/forked.spec.ts'), FORKED)
  writeFileSync(path.join(cwd, 'tests/prepared.spec.ts'), PREPARED)
  const env = { ...process.env, CHROMIUM_PATH: browser }
  const command = path.join(cwd, 'node_modules/blinknet/dist/server/main.js')
  const suite = (/** @type {string} */ name) => [
    'node',
    'node_modules/@playwright/test/cli.js',
    'test',
    name,
    '--workers=2',
  ]
  const run = (/** @type {readonly string[]} */ [program = '', ...args], more = {}) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: { ...env, ...more }, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  const blinknet = (/** @type {readonly string[]} */ ...args) => run(['node', command, ...args])
  /** @param {string} what @param {ReturnType<typeof run>} outcome @param {number} status @param {RegExp} wanted */
  const expect = (what, outcome, status, wanted) => {
    if (outcome.status === status && wanted.test(outcome.output)) return
    throw new Error(`${what}: status ${outcome.status}\n${outcome.output}`)
  }
  const file = () => readFileSync(path.join(cwd, 'tests.fork'), 'utf8')
  const found = []

  await withNode(folder, ['--clock', 'manual', '--chain-id', '77'], async (url) => {
    const rpc = async (/** @type {string} */ method, /** @type {readonly unknown[]} */ ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    }
    for (const account of [HOLDER, STRANGER]) await rpc('anvil_setBalance', account, '0x7')
    await rpc('evm_mine')
    await rpc('evm_mine')
    const endpoint = ['--fork-url', url]
    expect(
      'record',
      blinknet('record', 'tests.fork', ...endpoint, '--', ...suite('forked')),
      0,
      /4 passed[^]*block 4 of chain 77/,
    )
    const recorded = file()
    expect('record again', blinknet('record', 'tests.fork', '--', ...suite('forked')), 0, /4 passed[^]*\(0 new\)/)
    if (file() !== recorded) throw new Error('a complete recording has changed')
    expect('check', blinknet('check', 'tests.fork', ...endpoint), 0, /has the hash 0x[^]*are proven against/)
    found.push('a suite in two worker processes records a fork file, and records nothing a second time')

    // A command that is ended has still recorded.
    const script = `import('blinknet').then(async ({ createChain }) => {
      await (await createChain({ fork: 'ended.fork', clock: 'manual' })).seal()
      console.log('READY')
      setInterval(() => {}, 1000)
    })`
    const recording = spawn('node', [command, 'record', 'ended.fork', ...endpoint, '--', 'node', '-e', script], {
      cwd,
      env,
    })
    const said = text(recording.stderr)
    for await (const chunk of recording.stdout) if (String(chunk).includes('READY')) break
    recording.kill('SIGINT')
    const [status] = await once(recording, 'exit')
    const ended = { status, output: await said }
    expect('a recording that is interrupted', ended, 130, /ended\.fork: block 4 of chain 77/)
    found.push('a recording that is interrupted is written')

    await rpc('anvil_setBalance', HOLDER, '0xb')
    const moved = blinknet('update', 'ended.fork', ...endpoint)
    expect('update', moved, 0, /block 4 \(0x.*\) → 5 \(0x.*\) of chain 77[^]*0 of \d+ accounts are different/)
    found.push('it moves to a newer block')
  })

  expect('replay', run(suite('forked')), 0, /4 passed/)
  const lacking = run([...suite('forked'), '-g', 'test one'], { MORE: '1' })
  expect(
    'a missing value',
    lacking,
    1,
    new RegExp(
      `does not have what was asked for:\\s+account ${STRANGER}\\s+record it: npx blinknet record tests\\.fork`,
    ),
  )
  found.push('it is replayed when its chain is gone, and a value that is missing fails the test that asked')

  await withNode(folder, ['--clock', 'manual', '--chain-id', '78'], async (url) => {
    expect('another chain', blinknet('check', 'tests.fork', '--fork-url', url), 1, /its chain id is 78, not 77/)
  })
  found.push('it is not taken for another chain’s')

  expect('prepare', run(suite('prepared')), 0, /PREPARING[^]*1 passed/)
  const again = run(suite('prepared'))
  expect('prepared before', again, 0, /1 passed/)
  if (again.output.includes('PREPARING')) throw new Error('what was prepared was not kept')
  found.push('a second run begins with what the first one has prepared')
  return found
}
