// Tests the package as people install it: packs it, checks it with publint and arethetypeswrong, and installs it offline
// into an empty folder. There it runs the command, opens its page in a browser, and uses the library from scripts and
// from TypeScript. Needs `npm run build`.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { chromium } from '@playwright/test'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { build, createServer as createViteServer, preview } from 'vite'
import { chromiumLaunch } from '../browsers/chromium.mjs'
import { testCoverage } from './coverage.mjs'
import { testDocumentCode } from './document-code.mjs'
import { copyExample, testFoundry, testHardhat, withNode } from './examples.mjs'
import { testForkFile } from './fork-file.mjs'

/**
 * Bytes of the tarball; 5.9 MB of it are the Solidity compiler, 0.9 MB the page of reports, 0.3 MB the interpreter of tracers in
 * JavaScript, 0.1 MB curves.
 */
const MAX_PACKED = 10_800_000
/** Bytes of a report: those of these tests have no pictures, since they open no page. */
const MAX_REPORT = 4_000_000
/** Accepted problems: Node.js can `require` ES modules since 20.19, and the oldest module resolution is not supported. */
const ALLOWED = new Set(['CJSResolvesToESM', 'NoResolution:node10'])
/** Packages that a consumer needs besides this one; taken from this project, since there is no network. */
const PEERS = ['viem', '@wagmi/core', 'ethers', '@types/node', '@playwright/test', 'vite', 'vitest', 'solc']
/** The packages of the Hardhat example besides, and where they are. */
const HARDHAT = 'scripts/check/hardhat'
const HARDHAT_PEERS = ['hardhat', '@nomicfoundation/hardhat-ethers']
const TSC = path.resolve('node_modules/.bin/tsc')

const SCRIPTS = 'node_modules/blinknet/dist/server'
/** A flag of V8 that the command sets. */
const FLAG = '--interrupt-budget='

const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-package-'))
const npm = (/** @type {readonly string[]} */ args, cwd = '.') =>
  execFileSync('npm', [...args, '--silent'], { cwd, encoding: 'utf8' })

/** @param {boolean} condition @param {string} message */
function check(condition, message) {
  if (!condition) throw new Error(message)
  console.log(`ok     ${message}`)
}

async function judge(/** @type {string} */ tarball) {
  const bytes = statSync(tarball).size
  check(bytes <= MAX_PACKED, `${(bytes / 1e6).toFixed(1)} of ${MAX_PACKED / 1e6} MB packed`)
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer } })
  check(messages.length === 0, `publint: ${messages.map((each) => formatMessage(each, pkg)).join('; ') || 'nothing'}`)
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))), {
    // A script for `new Worker`, which no module imports.
    excludeEntrypoints: ['./browser/worker.js'],
  })
  const problems = analysis.types ? analysis.problems : [{ kind: 'NoTypes' }]
  const found = problems
    .map((problem) => ('resolutionKind' in problem ? `${problem.kind}:${problem.resolutionKind}` : problem.kind))
    .filter((problem) => !ALLOWED.has(problem) && !ALLOWED.has(problem.split(':')[0] ?? ''))
  check(found.length === 0, `arethetypeswrong: ${[...new Set(found)].join(', ') || 'nothing'}`)
}

function install(/** @type {string} */ tarball) {
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
  npm(['install', '--offline', '--no-audit', '--no-fund', tarball], folder)
  const installed = readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  check(installed.join() === 'blinknet', `installed without a network: ${installed.join(', ')} and nothing else`)
  // Flags that come later make V8 refuse the code that is kept, and nothing else would tell.
  const main = scriptOf('main.js')
  check(
    main.includes(FLAG) && !main.includes('require("./'),
    'the command sets the flags of V8 before it loads scripts',
  )
  const others = readdirSync(path.join(folder, SCRIPTS)).filter((name) => name.endsWith('.js') && name !== 'main.js')
  check(!others.some((name) => scriptOf(name).includes(FLAG)), 'the library leaves the flags of V8 alone')
  link('.', PEERS)
}

function scriptOf(/** @type {string} */ name) {
  return readFileSync(path.join(folder, SCRIPTS, name), 'utf8')
}

/** Makes packages that are installed in `from` those of the consumer. @param {string} from @param {readonly string[]} names */
function link(from, names) {
  for (const name of names) {
    const place = path.join(folder, 'node_modules', name)
    mkdirSync(path.dirname(place), { recursive: true })
    symlinkSync(realpathSync(path.join(from, 'node_modules', name)), place)
  }
}

/** Installs Hardhat, unless it is there as the lock file has it. */
function installHardhat() {
  const installed = statSync(path.join(HARDHAT, 'node_modules/.package-lock.json'), { throwIfNoEntry: false })
  const { mtimeMs } = statSync(path.join(HARDHAT, 'package-lock.json'))
  if (!installed || installed.mtimeMs < mtimeMs) npm(['ci', '--no-audit', '--no-fund'], HARDHAT)
  link(HARDHAT, HARDHAT_PEERS)
}

async function runCommand() {
  await withNode(folder, ['--latest', 'preconfirmed'], async (url) => {
    check(true, 'npx blinknet listens, and says where its page is')
    await watchPage(url, watchLive)
  })
}

async function watchLive(/** @type {import('@playwright/test').Page} */ page) {
  await page.getByRole('button', { name: 'Send transaction', exact: true }).click()
  await page.getByText(/was sealed with 1 transaction/).waitFor()
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'txpool_status', params: [] })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await page.evaluate(async (request) => (await fetch('/rpc', { method: 'POST', ...request })).json(), {
    body,
    headers,
  })
  check(answer.result?.pending === '0x0', 'its page shows the chain live, and signs, sends and sees a block sealed')
  await page.goto(new URL('/block/1', page.url()).href)
  await page.getByRole('heading', { level: 1, name: /Block/ }).waitFor()
}

/** The film of {@link FAILURE}: its transaction is in the mempool at the last moment. */
async function watchFilm(/** @type {import('@playwright/test').Page} */ page) {
  const slider = page.getByRole('slider', { name: 'Moment' })
  await slider.press('End')
  await page.getByText('Block 1, partial block 3').waitFor()
  await page.getByText('1 transaction waiting').waitFor({ state: 'attached' })
  await slider.press('Home')
  await page.getByText('Block 1, partial block 1').waitFor()
  await page.getByText('0 transactions waiting').waitFor({ state: 'attached' })
  check((await slider.getAttribute('max')) === '2', 'the film of a failed test goes back to its first partial block')
}

/**
 * @param {string} url
 * @param {(page: import('@playwright/test').Page) => Promise<void>} look
 * @param {boolean} offline
 */
async function watchPage(url, look, offline = false) {
  const browser = await chromium.launch(chromiumLaunch('shell'))
  try {
    const page = await browser.newPage({ offline })
    /** @type {string[]} */
    const complaints = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(url)
    await look(page)
    check(complaints.length === 0, `its page complains of ${complaints.join('; ') || 'nothing'}`)
  } finally {
    await browser.close()
  }
}

/** A consumer's program; it is run, and its types are checked. */
const CONSUMER = `
import { BrowserProvider } from 'ethers'
import { createChain, DEV_KEYS, ProviderRpcError, type Chain, type RpcReceipt } from 'blinknet'
import { expect } from 'blinknet/expect'
import { FateError, type FatesSummary, fates } from 'blinknet/fates'
import { createWalletClient, custom, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const chain: Chain = await createChain({ clock: 'manual', seed: 7 })
const [from, to] = DEV_KEYS
if (!from || !to) throw new Error('no keys')
const wallet = createWalletClient({ account: privateKeyToAccount(from.privateKey), transport: custom(chain) })
const id = await chain.snapshot()
const hash = await wallet.sendTransaction({ chain: null, to: to.address, value: parseEther('1') })
const { index }: { index: number } = await chain.tick()
await expect(chain).toHavePreconfirmed(hash)
const preconfirmed: RpcReceipt = await chain.waitFor(hash, 'preconfirmed')
await chain.seal()
const sealed = await chain.waitFor(hash, 'sealed')
const provider = new BrowserProvider(chain)
const block = await provider.getBlockNumber()
const server = await chain.listen()
const html = await (await fetch(server.url, { headers: { Accept: 'text/html' } })).text()
const fork = await createChain({ clock: 'manual', fork: { url: server.url } })
const { fork: forked } = await fork.request({ method: 'devnet_status' })
const paid = (of: Chain) => of.request({ method: 'eth_getBalance', params: [to.address, 'latest'] })
const sameBalance = (await paid(fork)) === (await paid(chain))
await fork.close()
const file = await chain.exportChain()
const undone = await chain.revert(id)
const refused = await chain.request({ method: 'eth_call', params: [{ to: '0x' }, 'latest'] } as never).catch((error: unknown) => error)
provider.destroy()
await chain.close()
const after = await chain.request({ method: 'eth_chainId' }).catch((error: unknown) => error)
let lost: unknown
const summary: FatesSummary = await fates({ depth: 1, kinds: ['lose'] }, async ({ provider, chain, fate }) => {
  const dapp = createWalletClient({ account: privateKeyToAccount(from.privateKey), transport: custom(provider) })
  await dapp.sendTransaction({ chain: null, to: to.address, value: 1n })
  await chain.settle()
  if (fate === 'lose@0') lost = await chain.request({ method: 'eth_blockNumber' })
})
const fated = await fates({ fate: 'refuse@send1' }, ({ provider }) =>
  provider.request({ method: 'eth_sendTransaction', params: [{ from: from.address }] }),
).catch((error: unknown) => error)
const seen = [index, preconfirmed.status, /^0x0+$/.test(preconfirmed.blockHash), sealed.blockNumber, block, html.includes('data-page="served"'), forked?.isProven, sameBalance, file.length > 500, undone, refused instanceof ProviderRpcError && refused.code, after instanceof ProviderRpcError && after.code, summary.histories > 2, lost, fated instanceof FateError && fated.fate]
console.log(JSON.stringify(seen))
`
/** As Playwright loads the tests of a project whose package.json has no `"type": "module"`. */
const COMMONJS = `
const { createChain } = require('blinknet')
const { test } = require('blinknet/playwright')
const { matchers } = require('blinknet/expect')
const { fates } = require('blinknet/fates')
createChain({ clock: 'manual' }).then((chain) => console.log(typeof test, typeof fates, typeof matchers.toHaveEmitted, chain.close() instanceof Promise))
`
const EXPECTED = '[1,"0x1",true,"0x1",1,true,true,true,true,true,-32602,4900,true,"0x0","refuse@send1"]'

function runConsumer() {
  writeFileSync(path.join(folder, 'consumer.ts'), CONSUMER)
  for (const [module, moduleResolution] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ]) {
    const options = {
      module,
      moduleResolution,
      target: 'es2023',
      strict: true,
      outDir: 'out',
      rootDir: '.',
      types: ['node'],
    }
    const lib = ['es2023', 'dom']
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...options, lib, skipLibCheck: true }, files: ['consumer.ts'] }),
    )
    execFileSync(TSC, { cwd: folder, stdio: 'inherit' })
    check(true, `its types resolve under moduleResolution ${moduleResolution}`)
  }
  const seen = execFileSync('node', ['out/consumer.js'], { cwd: folder, encoding: 'utf8' }).trim()
  check(
    seen === EXPECTED,
    `createChain works with viem and ethers, listens, is forked, exports, reverts and ends: ${seen}`,
  )
  writeFileSync(path.join(folder, 'consumer.cjs'), COMMONJS)
  const required = execFileSync('node', ['consumer.cjs'], { cwd: folder, encoding: 'utf8' }).trim()
  check(
    required === 'function function function true',
    `CommonJS has the library, the fixtures, fates and the matchers by require: ${required}`,
  )
}

/** Checks the types of a copied example. @param {string} cwd @returns Runs its tests with Playwright. */
async function playwrightIn(cwd) {
  execFileSync(TSC, ['--project', '.'], { cwd, stdio: 'inherit' })
  const { executablePath } = chromiumLaunch('shell')
  const PATH = [path.resolve('node_modules/.bin'), process.env['PATH']].join(path.delimiter)
  const env = { ...process.env, PATH, DAPP_PORT: String(await freePort()), CHROMIUM_PATH: executablePath ?? '' }
  return (/** @type {readonly string[]} */ args) =>
    spawnSync('node', ['node_modules/@playwright/test/cli.js', 'test', ...args], { cwd, env, encoding: 'utf8' })
}

/** @param {string} what @param {import('node:child_process').SpawnSyncReturns<string>} run */
function checkPassed(what, { status, stdout, stderr }) {
  if (status !== 0) console.log(stdout, stderr)
  check(status === 0, `${what}: ${/\d+ passed/.exec(stdout)?.[0]}`)
}

/** The dapp of `examples/` that stands on two chains, with its tests. */
async function testTwoChains() {
  const run = await playwrightIn(copyExample(folder, 'two-chains'))
  checkPassed("the tests of the example dapp's two chains", run(['--workers=2']))
}

/** The dapp of `examples/` on a fork from a file, with its tests. */
async function testForkHolder() {
  const run = await playwrightIn(copyExample(folder, 'fork-holder'))
  checkPassed("the tests of the example dapp on a fork, without the fork's endpoint", run(['--workers=2']))
}

/** The dapp of `examples/`, under test with the package's fixtures: its types, its tests, and a test that fails. */
async function testDapp() {
  const dapp = copyExample(folder, 'dapp')
  const planted = path.join('test', 'package', 'planted')
  cpSync('test/package', path.join(dapp, 'tests'), { recursive: true, filter: (name) => name !== planted })
  const run = await playwrightIn(dapp)
  checkPassed("the example dapp's tests, and those of the fixtures", run(['--workers=2']))
  cpSync(planted, path.join(dapp, 'tests', 'planted'), { recursive: true })
  checkPlanted(run(['planted', '--workers=2']).stdout)
  writeFileSync(path.join(dapp, 'tests', 'failure.spec.ts'), FAILURE)
  const { status, stdout } = run(['failure.spec.ts'])
  const told = [
    'was not pre-confirmed within 100 ms',
    '+0 ms  received',
    'the clock is manual',
    'chain.blinknet',
    'timeline.txt',
    'l1.blinknet',
    'base.blinknet',
    'base-timeline.txt',
  ]
  const missing = told.filter((text) => !stdout.includes(text))
  if (missing.length > 0) console.log(stdout)
  check(status === 1 && missing.length === 0, 'a test that fails tells why, and attaches the chain and its timeline')
  const results = path.join(dapp, 'test-results')
  const file = readdirSync(results, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('chain.blinknet'),
  )
  check(file !== undefined, 'the chain of the failure is in the test results')
  const opened = path.join(results, /** @type {string} */ (file))
  await withNode(folder, ['open', opened], (url) => watchPage(url, watchFilm))
  const reports = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('failure.html'),
  )
  check(reports.length === 2, 'each test that failed has left a report')
  for (const report of reports) {
    const place = path.join(results, report)
    check(statSync(place).size < MAX_REPORT, `a report of ${(statSync(place).size / 1e6).toFixed(1)} MB`)
    await watchPage(pathToFileURL(place).href, watchReport, true)
  }
}

/** The report of a test of {@link FAILURE}, opened from a disk. */
async function watchReport(/** @type {import('@playwright/test').Page} */ page) {
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('button')
  const failed = steps.filter({ has: page.getByText('failed', { exact: true }) }).first()
  await failed.click()
  const title = await page.getByRole('heading', { level: 1 }).first().textContent()
  if (title === 'fails') {
    await page.getByText('Block 1, partial block 3').waitFor()
    await page.getByText('1 transaction waiting').waitFor({ state: 'attached' })
  } else {
    await page.getByRole('button', { name: 'base', exact: true }).click()
    await page.getByText('Block 1, partial block 2').waitFor()
  }
  check(true, `the report of the test “${title}” shows its chain at the step that failed`)
}

/** Each dapp of test/package/planted breaks a promise, and is found. */
function checkPlanted(/** @type {string} */ stdout) {
  const told = {
    hasty: 'the page shows "Paid" while the transaction is not sealed (final)',
    trusting: 'the page says "Thank you", as if all were sealed, and it is not (agrees)',
    stubborn: 'the same transaction was sent twice in place of once, without another press (twice)',
    listening: '"Pay" still cannot be used (busy)',
    careless: 'an error was not caught: "txpool is full" (errors)',
  }
  const missing = Object.entries(told).filter(([, text]) => !stdout.includes(text))
  if (missing.length > 0) console.log(stdout)
  const names = missing.map(([name]) => name).join(', ') || 'none'
  check(missing.length === 0, `of the dapps that break a promise, not found: ${names}`)
}

/** A page with its own chain. */
const OWN_PAGE = `
import { createChain, DEV_KEYS } from 'blinknet/browser'
const chain = await createChain({ clock: 'manual', seed: 7 })
const [from, to] = DEV_KEYS.map(({ address }) => address)
const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
await chain.tick()
const { status } = await chain.waitFor(hash, 'preconfirmed')
await chain.seal()
const { blockNumber } = await chain.waitFor(hash, 'sealed')
const bad = await createChain({ partialMs: 1 }).catch((error) => error.message)
chain.close()
const after = await chain.request({ method: 'eth_chainId' }).catch((error) => error.code)
document.title = JSON.stringify([status, blockNumber, /partialMs/.test(bad), after])
`
const OWN_PAGE_EXPECTED = '["0x1","0x1",true,4900]'

/** `blinknet/browser` from a plain static host, from Vite's development server, and from Vite's build. */
async function openOwnPage() {
  const site = path.join(folder, 'site')
  mkdirSync(path.join(site, 'plain'), { recursive: true })
  cpSync(path.join(folder, 'node_modules/blinknet/dist/browser'), path.join(site, 'plain/blinknet'), {
    recursive: true,
  })
  writeFileSync(path.join(site, 'main.js'), OWN_PAGE)
  writeFileSync(path.join(site, 'index.html'), '<!doctype html><script type="module" src="/main.js"></script>')
  writeFileSync(path.join(site, 'plain/main.js'), OWN_PAGE.replace("'blinknet/browser'", "'./blinknet/index.js'"))
  writeFileSync(path.join(site, 'plain/index.html'), '<!doctype html><script type="module" src="main.js"></script>')
  symlinkSync(path.join(folder, 'node_modules'), path.join(site, 'node_modules'))
  /** @type {import('vite').InlineConfig} */
  const config = {
    root: site,
    configFile: false,
    logLevel: 'error',
    // As in docs/testing.md.
    optimizeDeps: { exclude: ['blinknet'] },
    worker: { format: 'es' },
  }
  const served = await preview({ ...config, build: { outDir: 'plain' }, appType: 'mpa', preview: { port: 0 } })
  const dev = await createViteServer({ ...config, server: { port: 0 } })
  await dev.listen()
  await build(config)
  const built = await preview({ ...config, preview: { port: 0 } })
  const browser = await chromium.launch(chromiumLaunch('shell'))
  try {
    for (const [how, server] of /** @type {const} */ ([
      ['as plain ES modules', served],
      ['by Vite in development', dev],
      ['by a build of Vite', built],
    ])) {
      const page = await browser.newPage()
      page.on('pageerror', (error) => console.log(`${how}: ${error.message}`))
      await page.goto(server.resolvedUrls?.local[0] ?? '')
      await page.waitForFunction(() => document.title.startsWith('['))
      check((await page.title()) === OWN_PAGE_EXPECTED, `blinknet/browser runs a chain in a page's worker, ${how}`)
      await page.close()
    }
  } finally {
    await browser.close()
    await dev.close()
    for (const { httpServer } of [served, built]) httpServer.close()
  }
}

/** A transaction that is never pre-confirmed. */
const FAILURE = `
import { expect, test } from 'blinknet/playwright'
test('fails', async ({ chain }) => {
  const [from] = await chain.request({ method: 'eth_accounts' })
  await chain.tick(2)
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: from }] })
  await expect(chain).toHavePreconfirmed(hash, { timeout: 100 })
})
test.describe('two chains', () => {
  test.use({ chains: { l1: { chainId: 1 }, base: { chainId: 8453 } } })
  test('fail', async ({ chains }) => {
    await chains.tick()
    expect(chains.names).toEqual([])
  })
})
`

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

try {
  npm(['pack', '--ignore-scripts', '--pack-destination', folder])
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm pack made no tarball')
  const tarball = path.join(folder, name)
  await judge(tarball)
  install(tarball)
  runConsumer()
  check(true, testDocumentCode(folder, TSC))
  await openOwnPage()
  await testDapp()
  await testTwoChains()
  await testForkHolder()
  for (const found of await testForkFile(folder, chromiumLaunch('shell').executablePath ?? '')) check(true, found)
  for (const found of testCoverage(folder, chromiumLaunch('shell').executablePath ?? '')) check(true, found)
  installHardhat()
  check(true, await testHardhat(folder))
  check(true, await testFoundry(folder))
  await runCommand()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
