// The Hardhat and the Foundry project of `examples/`, on the command of the installed package. Their compiler is npm's solc:
// nothing is downloaded.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

const SOLC = path.resolve('test/clients/support/solc.mjs')
/** Where commands are: those of this project, and Hardhat, which `package.mjs` installs in a folder of its own. */
const BINARIES = ['node_modules/.bin', 'scripts/check/hardhat/node_modules/.bin'].map((folder) => path.resolve(folder))

/** The project's configuration, and a compiler that is there. */
const HARDHAT_CONFIG = `
const { subtask } = require('hardhat/config')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version: solcVersion,
  longVersion: solcVersion,
}))
module.exports = require('./hardhat.config.js')
`

/**
 * Starts the command that is installed in `folder`, on a free port, for as long as `work` takes.
 *
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {(url: string) => unknown} work - Gets the address of the page, which is that of JSON-RPC.
 */
export async function withNode(folder, args, work) {
  const child = spawn('npx', ['--no-install', 'blinknet', ...args, '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = once(child, 'exit')
  try {
    let url
    for await (const line of createInterface({ input: child.stdout })) {
      url = /Watch it (?:live )?in a browser: (http:\S+)/.exec(line)?.[1]
      if (url !== undefined) break
    }
    if (url === undefined) throw new Error('npx blinknet does not say where its page is')
    child.stdout.resume()
    await work(url)
  } finally {
    // npx starts it: the signal goes to both, as from a terminal.
    process.kill(-(/** @type {number} */ (child.pid)), 'SIGINT')
    await exited
  }
}

/** A copy of an example beside the installed package. @param {string} folder @param {string} name */
export function copyExample(folder, name) {
  const copy = path.join(folder, name)
  cpSync(path.join('examples', name), copy, { recursive: true, filter: (file) => !file.includes('node_modules') })
  symlinkSync(path.join(folder, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

/**
 * Runs the tests of an example, and returns what they print.
 *
 * @param {string} cwd
 * @param {readonly [string, ...string[]]} command
 * @param {Readonly<Record<string, string>>} added - To the environment.
 */
function run(cwd, [command, ...args], added) {
  const PATH = [...BINARIES, process.env['PATH']].join(path.delimiter)
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, PATH, ...added },
    encoding: 'utf8',
  })
  if (error) throw new Error(`${command} did not start`, { cause: error })
  if (status !== 0) throw new Error(`${command} in ${path.basename(cwd)} failed\n${stdout}${stderr}`)
  return stdout
}

/** `hardhat test` in its own process, then over HTTP on a chain with automine. @param {string} folder */
export async function testHardhat(folder) {
  const project = copyExample(folder, 'hardhat')
  writeFileSync(path.join(project, 'offline.config.js'), HARDHAT_CONFIG)
  const command = /** @type {const} */ (['hardhat', '--config', 'offline.config.js', 'test'])
  const env = { HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' }
  const inProcess = run(project, command, env)
  let overHttp = ''
  await withNode(folder, ['--automine'], (url) => {
    overHttp = run(project, [...command, '--network', 'blinknet'], { RPC_URL: url, ...env })
  })
  const [own, other] = [inProcess, overHttp].map((output) => /\d+ passing/.exec(output)?.[0])
  return `the tests of the Hardhat project: ${own} in their process, ${other} over HTTP`
}

/** `forge script` and `cast`, on a chain with blocks by the clock. @param {string} folder */
export async function testFoundry(folder) {
  const project = copyExample(folder, 'foundry')
  let output = ''
  await withNode(folder, [], (url) => {
    output = run(project, ['./test.sh'], {
      FOUNDRY_ETH_RPC_URL: url,
      FOUNDRY_OFFLINE: 'true',
      FOUNDRY_SOLC: SOLC,
    })
  })
  return `the script of the Foundry project: ${output.match(/^ok /gm)?.length} as expected`
}
