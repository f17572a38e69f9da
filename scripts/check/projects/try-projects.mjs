// `npm run try:projects` opens well-known projects in the page, in Chromium: each is opened as a folder, compiled, one of its
// contracts deployed and verified, and a call that fails explained. It prints the table of docs/solidity.md. Sources come from
// npm (into .cache/projects); `-- --from FOLDER` tries the repositories in a folder instead, by their names, and `--only A,B`
// only some. `npm run build:page` first.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem'
import { chromiumLaunch } from '../../browsers/chromium.mjs'
import { ALICE, BOB, PROJECTS } from './projects.mjs'

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('./projects.mjs').Attempt} Attempt */
/** @typedef {{ devnet: { request: (asked: object) => Promise<unknown>, tick: () => Promise<unknown> } }} DevWindow */
/**
 * @typedef {{
 *   version: string,
 *   output: {
 *     errors?: { severity: string, formattedMessage: string }[],
 *     contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>,
 *   },
 * }} OldAnswer
 */
/** @typedef {Record<'opened' | 'compiled' | 'deployed' | 'verified' | 'explained', string>} Outcome */

const { values: options } = parseArgs({
  options: { from: { type: 'string' }, only: { type: 'string' }, port: { type: 'string', default: '4189' } },
})
const CACHE = path.resolve('.cache/projects')
const URL = `http://127.0.0.1:${options.port}`
/** Milliseconds for the compiler: OpenZeppelin's contracts are the largest. */
const COMPILE_MS = 240_000
const only = options.only?.split(',')

/**
 * A package of npm, unpacked; fetched once.
 *
 * @param {string} spec
 */
function fetchPackage(spec) {
  const folder = path.join(CACHE, spec.replaceAll('/', '+'))
  if (existsSync(folder)) return path.join(folder, 'package')
  mkdirSync(folder, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, spec], { encoding: 'utf8' })
  const archive = path.join(folder, packed.trim().split('\n').at(-1) ?? '')
  execFileSync('tar', ['xzf', archive, '-C', folder])
  rmSync(archive)
  // A few packages have another folder at their top.
  const [inside = 'package'] = readdirSync(folder)
  return path.join(folder, inside)
}

/**
 * The project's folder, with the files that its user adds; `undefined` if it cannot be had.
 *
 * @param {Attempt} attempt
 */
function bring({ name, npm, within = '.', add = {} }) {
  const given = options.from === undefined ? undefined : path.join(options.from, name)
  const source = given ?? (npm === undefined ? undefined : path.join(fetchPackage(npm), within))
  if (source === undefined || !existsSync(source)) return undefined
  if (Object.keys(add).length === 0) return source
  const copy = path.join(CACHE, 'with-files', name)
  rmSync(copy, { recursive: true, force: true })
  cpSync(source, copy, { recursive: true, filter: (file) => !/\/(node_modules|\.git)(\/|$)/.test(file) })
  for (const [file, text] of Object.entries(add)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    writeFileSync(path.join(copy, file), text)
  }
  return copy
}

/**
 * @param {Page} page
 * @param {string} method
 * @param {readonly unknown[]} [params]
 * @returns {Promise<any>}
 */
const request = (page, method, params = []) =>
  page.evaluate((asked) => /** @type {DevWindow} */ (/** @type {unknown} */ (window)).devnet.request(asked), {
    method,
    params: [...params],
  })
/** @param {Page} page */
const tick = (page) => page.evaluate(() => /** @type {DevWindow} */ (/** @type {unknown} */ (window)).devnet.tick())
/**
 * @param {Page} page
 * @param {string} name
 */
const button = (page, name) => page.getByRole('button', { name, exact: true })
/**
 * @param {Page} page
 * @param {string} name
 */
const article = (page, name) => page.getByRole('article', { name, exact: true }).first()

/**
 * @param {Page} page
 * @param {string} folder
 * @param {Outcome} outcome
 */
async function open(page, folder, outcome) {
  await button(page, 'Open…').click()
  await page.getByLabel('A folder, such as a Foundry or Hardhat project').setInputFiles(folder)
  const dialog = page.getByRole('dialog', { name: 'Open a project' })
  const opened = dialog.getByText(/^Opened “/)
  await opened.or(dialog.getByRole('alert')).first().waitFor({ timeout: COMPILE_MS })
  const [first = ''] = (await dialog.getByRole('status').or(dialog.getByRole('alert')).allInnerTexts())
    .join(' ')
    .split('\n')
  outcome.opened = /with ([\d,]+ files?)/.exec(first)?.[1] ?? first
  await dialog.getByRole('button', { name: 'Close' }).click()
}

/**
 * @param {Page} page
 * @param {string} runs
 */
async function setRuns(page, runs) {
  await page.getByText(/^Compiler options:/).click()
  await page.getByLabel('Runs').fill(runs)
}

/**
 * Deploys a diamond and its facets, and gives it their functions, as its project's script does.
 *
 * @param {Page} page
 * @param {string} cutFacet
 */
async function cutDiamond(page, cutFacet) {
  const deployed = /** @param {string} name @param {readonly string[]} [args] */ (name, args = []) => {
    return deploy(page, { name, contract: name, args })
  }
  const diamond = await deployed('Diamond', [BOB, cutFacet])
  const facets = [await deployed('DiamondLoupeFacet'), await deployed('OwnershipFacet')]
  const cut = parseAbi([
    'struct FacetCut { address facet; uint8 action; bytes4[] selectors; }',
    'function diamondCut(FacetCut[] cuts, address init, bytes data)',
  ])
  const names = [
    ['facets()', 'facetFunctionSelectors(address)', 'facetAddresses()', 'facetAddress(bytes4)'],
    ['owner()', 'transferOwnership(address)'],
  ]
  const cuts = facets.map((facet, i) => ({
    facet: /** @type {`0x${string}`} */ (facet),
    action: 0,
    selectors: (names[i] ?? []).map((signature) => toFunctionSelector(`function ${signature}`)),
  }))
  const data = encodeFunctionData({ abi: cut, args: [cuts, `0x${'00'.repeat(20)}`, '0x'] })
  await request(page, 'eth_sendTransaction', [{ from: BOB, to: diamond, data, gas: '0x200000' }])
  await tick(page)
  await visit(page, `/address/${diamond}/contract`)
  await page.getByText('This is a diamond (EIP-2535) with 3 facets').waitFor()
  return diamond
}

/**
 * @param {Page} page
 * @param {Outcome} outcome
 */
async function compile(page, outcome) {
  const done = page.getByText(/^Compiled [\d,]+ contracts? in/)
  const problems = page.getByRole('list', { name: 'Problems' }).getByText(/error/i)
  await button(page, 'Compile').click()
  await done
    .or(problems)
    .or(page.getByText(/nothing was compiled/))
    .first()
    .waitFor({ timeout: COMPILE_MS })
  const allow = page.getByRole('button', { name: /^Allow solc/ })
  let note = ''
  if (await allow.isVisible()) {
    await allow.click()
    note = ', after a press of “Allow solc …”'
    await button(page, 'Compile').click()
    await done.or(problems).first().waitFor({ timeout: COMPILE_MS })
  }
  if (await done.isVisible()) outcome.compiled = /[\d,]+ contracts?/.exec(await done.innerText())?.[0] + note
  else
    outcome.compiled = `not: ${(await page.getByRole('list', { name: 'Problems' }).innerText()).split('\n').slice(0, 3).join(' ').slice(0, 160)}`
  return done.isVisible()
}

/**
 * @param {Page} page
 * @param {Attempt} attempt
 */
async function deploy(page, { contract = '', args = [] }) {
  const list = page.getByLabel('Contract', { exact: true })
  if (await list.isVisible()) {
    const labels = await list.locator('option').allInnerTexts()
    await list.selectOption({
      label: labels.find((label) => label === contract || label.startsWith(`${contract} (`)) ?? contract,
    })
  }
  const panel = page.getByRole('region', { name: 'Deploy', exact: true })
  await fill(panel, args)
  await button(page, `Deploy ${contract}`).click()
  await page.getByRole('region', { name: `Deployment of ${contract}` }).waitFor()
  await waitForTransaction(page)
  await tick(page)
  const chosen = page.getByLabel('Deployed contracts')
  await chosen.locator('option:checked', { hasText: contract }).waitFor({ state: 'attached' })
  return chosen.inputValue()
}

/**
 * @param {import('@playwright/test').Locator} form
 * @param {readonly string[]} args
 */
async function fill(form, args) {
  for (const [i, arg] of args.entries()) {
    const label = new RegExp(`^Argument ${i + 1}:`)
    const json = form.getByRole('button', { name: new RegExp(`^JSON for Argument ${i + 1}:`) })
    if (await json.isVisible()) {
      await json.click()
      await form.getByRole('textbox', { name: label }).fill(arg)
    } else {
      const field = form.getByLabel(label).first()
      if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(arg)
      else await field.fill(arg)
    }
  }
}

/** @param {Page} page */
async function waitForTransaction(page) {
  for (let i = 0; i < 200; i++) {
    if ((await request(page, 'txpool_status')).pending !== '0x0') return
    await page.waitForTimeout(50)
  }
  throw new Error('no transaction was sent')
}

/**
 * @param {Page} page
 * @param {string} to
 */
async function visit(page, to) {
  await page.evaluate((address) => {
    history.pushState(null, '', `${address}${location.search}`)
    dispatchEvent(new PopStateEvent('popstate'))
  }, to)
}

/**
 * @param {Page} page
 * @param {string} address
 * @param {Outcome} outcome
 */
async function verify(page, address, outcome) {
  await visit(page, `/address/${address}/source`)
  await button(page, 'Verify').click()
  const told = page.getByText(/^(✓ Verified|✕ Not the same|Not verified: these)/)
  await told.waitFor({ timeout: COMPILE_MS })
  const words = await told.innerText()
  outcome.verified = words.includes('metadata included') ? 'same' : words.slice(0, 90)
}

/**
 * @param {Page} page
 * @param {Attempt} attempt
 * @param {string} address
 * @param {Outcome} outcome
 */
async function explain(
  page,
  { before = [], fails: [name, args] = ['', []], reason = /./, line = /./ },
  address,
  outcome,
) {
  await visit(page, `/address/${address}/contract`)
  for (const [called, given] of before) {
    await fill(article(page, called), given)
    await article(page, called)
      .getByRole('button', { name: `Send ${called}` })
      .click()
    await waitForTransaction(page)
    await tick(page)
  }
  const form = article(page, name)
  await fill(form, args)
  await form.getByRole('button', { name: new RegExp(`^(Send|Ask): ?${name}$|^(Send|Ask) ${name}$`) }).click()
  const alert = form.getByRole('alert').first()
  await alert.getByText(line).first().waitFor({ timeout: 60_000 })
  const words = (await alert.innerText()).replaceAll(/\s+/g, ' ')
  if (!reason.test(words)) throw new Error(`another reason than expected: ${words.slice(0, 300)}`)
  outcome.explained = `\`${/[\w./@-]+\.sol:\d+/.exec(words)?.[0] ?? words.slice(0, 120)}\``
}

/**
 * What an old compiler makes of a project, as Hardhat writes it down.
 *
 * @param {string} folder
 * @param {NonNullable<Attempt['old']>} old
 * @param {string} name Of the contract.
 */
function compileWithOld(folder, { solc, file, settings }, name) {
  const home = fetchPackage(`solc@${solc}`)
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    /^contracts\/.*\.sol$/.test(each),
  )
  const sources = Object.fromEntries(
    paths.map((each) => [each, { content: readFileSync(path.join(folder, each), 'utf8') }]),
  )
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      ...settings,
      outputSelection: { '*': { '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'], '': ['ast'] } },
    },
  }
  // In this process, soljson would take over the handlers of errors.
  const script = `const m = require(${JSON.stringify(path.join(home, 'soljson.js'))});
    const compile = m.cwrap('solidity_compile', 'string', ['string', 'number', 'number']);
    const version = m.cwrap('solidity_version', 'string', [])();
    process.stdout.write(JSON.stringify({ version, output: JSON.parse(compile(require('fs').readFileSync(0, 'utf8'), 0, 0)) }));`
  const answer = execFileSync(process.execPath, ['-e', script], {
    input: JSON.stringify(input),
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  })
  const { version, output } = /** @type {OldAnswer} */ (JSON.parse(answer))
  const long = version.replace(/\.Emscripten.*$/, '')
  const build = { _format: 'hh-sol-build-info-1', id: solc, solcVersion: solc, solcLongVersion: long, input, output }
  const at = path.join(CACHE, `build-info-${solc}.json`)
  writeFileSync(at, JSON.stringify(build))
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors[0]) throw new Error(errors[0].formattedMessage)
  const contract = output.contracts?.[file]?.[name]
  if (!contract) throw new Error(`${file} has no ${name}`)
  return { at, bytecode: `0x${contract.evm.bytecode.object}` }
}

/**
 * Gives the page what an old compiler wrote, and deploys a contract as a script does.
 *
 * @param {Page} page
 * @param {string} folder
 * @param {Attempt} attempt
 * @param {Outcome} outcome
 */
async function giveOld(page, folder, { old, contract = '', args = [] }, outcome) {
  if (!old) throw new Error('there is no other compiler to try')
  const { at, bytecode } = compileWithOld(folder, old, contract)
  await button(page, 'Add artifacts…').click()
  await page.getByLabel('Single files: artifacts of Foundry, or build-info').setInputFiles(at)
  const dialog = page.getByRole('dialog', { name: 'Add artifacts' })
  await dialog.getByText(/^Added/).waitFor({ timeout: COMPILE_MS })
  outcome.compiled += `. By solc ${old.solc} elsewhere, as artifacts: ${/^Added ([\d,]+ contracts?)/.exec(await dialog.getByText(/^Added/).innerText())?.[1]}`
  await dialog.getByRole('button', { name: 'Close' }).click()
  const data = `${bytecode}${args.map((arg) => arg.slice(2).toLowerCase().padStart(64, '0')).join('')}`
  const hash = await request(page, 'eth_sendTransaction', [{ from: ALICE, data, gas: '0x800000' }])
  await tick(page)
  const receipt = await request(page, 'eth_getTransactionReceipt', [hash])
  if (receipt?.status !== '0x1') throw new Error('the deployment failed')
  return receipt.contractAddress
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {Attempt} attempt
 * @returns {Promise<Outcome & { error?: string }>}
 */
async function walk(browser, attempt) {
  /** @type {Outcome} */
  const outcome = { opened: '–', compiled: '–', deployed: '–', verified: '–', explained: '–' }
  const folder = bring(attempt)
  if (folder === undefined) return { ...outcome, error: 'not on npm' }
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  try {
    await page.goto(`${URL}/contracts?clock=manual&storage=off`)
    await page.getByRole('textbox', { name: 'Solidity source' }).waitFor()
    await open(page, folder, outcome)
    if (attempt.runs !== undefined) await setRuns(page, attempt.runs)
    const isCompiled = await compile(page, outcome)
    const first = isCompiled ? await deploy(page, attempt) : await giveOld(page, folder, attempt, outcome)
    outcome.deployed = attempt.contract ?? ''
    const address = attempt.isDiamond ? await cutDiamond(page, first) : first
    if (attempt.isDiamond) outcome.deployed = 'a diamond with 3 facets'
    await verify(page, address, outcome)
    await explain(page, attempt, address, outcome)
    return outcome
  } catch (error) {
    const shot = path.join(CACHE, `${attempt.name}.png`)
    await page.screenshot({ path: shot, fullPage: true }).catch(() => undefined)
    return { ...outcome, error: String(error).split('\n').slice(0, 3).join(' ') }
  } finally {
    await context.close()
  }
}

mkdirSync(CACHE, { recursive: true })
const server = spawn('npx', ['vite', 'preview', '--host', '127.0.0.1', '--port', options.port, '--strictPort'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
let failed = 0
try {
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => String(text).includes(options.port) && resolve(undefined))
    server.once('exit', (code) => reject(new Error(`the page's server ended with exit code ${code}`)))
  })
  const browser = await chromium.launch(chromiumLaunch('shell'))
  console.log('| project | opened | compiled | deployed | verified | a failed call |\n|---|---|---|---|---|---|')
  for (const attempt of PROJECTS) {
    if (only && !only.includes(attempt.name)) continue
    const { opened, compiled, deployed, verified, explained, error } = await walk(browser, attempt)
    if (error === 'not on npm') continue
    if (error !== undefined) failed++
    console.log(`| ${attempt.name} | ${opened} | ${compiled} | ${deployed} | ${verified} | ${explained} |`)
    if (error !== undefined) console.log(`  FAILED: ${error}`)
  }
  await browser.close()
} finally {
  if (server.pid !== undefined) process.kill(-server.pid)
}
process.exitCode = failed > 0 ? 1 : 0
