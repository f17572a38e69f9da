import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { processorMs } from './processor-time.mjs'

/**
 * A chain that runs by itself only when it is told to mine, behind its usual interface.
 *
 * @typedef {object} Chain
 * @property {import('./figures.mjs').System} name
 * @property {number | undefined} pid
 * @property {string | undefined} url
 * @property {(method: string, params?: readonly unknown[]) => Promise<any>} call
 * @property {(lanes: readonly (readonly string[])[], size: number) => Promise<number>} submit - Sends the transactions
 * of all lanes at the same time, in each one after the other, or `size` at once. Milliseconds until all are accepted.
 * @property {(method: string, params: readonly unknown[], rounds: number, perRound: number) => Promise<number[]>} time
 * - Milliseconds of a call, the mean of each round.
 * @property {() => Promise<number>} processorMs - Processor time since the start.
 * @property {() => Promise<void>} stop
 */

/** The last version of its line that runs on the Node.js required by Blinknet. */
export const HARDHAT_VERSION = '2.26.3'
/** How long a chain may take to end, in milliseconds. */
const GRACE_MS = 15_000

/** @param {string} method @param {readonly unknown[]} params @param {number} [id] */
export const bodyOf = (method, params, id = 1) => ({ jsonrpc: '2.0', id, method, params })

/** Milliseconds for which a connection may be idle: less than the five seconds after which a server closes it. */
const IDLE_MS = 3_000

/** A client over HTTP that keeps its connections. @param {string} url */
function httpClient(url) {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
  const { hostname, port } = new URL(url)
  /** @param {string} body @returns {Promise<string>} */
  const post = (body) =>
    new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
      const sent = request({ agent, hostname, port, method: 'POST', headers }, (response) => {
        /** @type {Buffer[]} */
        const chunks = []
        response.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk))
        response.on('end', () => resolve(Buffer.concat(chunks).toString()))
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return { post, close: () => agent.destroy() }
}

/** @param {string} answer @throws {Error} If it is not a result, or not all of them are. */
export function refuseErrors(answer) {
  if (answer.includes('"error"')) throw new Error(`a call of the benchmark failed: ${answer.slice(0, 500)}`)
}

/**
 * @param {import('./figures.mjs').System} name
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<Chain>}
 */
export async function startHttp(name, command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const { stdout } = child
  if (!stdout) throw new Error('a child without output')
  let url
  for await (const line of createInterface({ input: stdout })) {
    const port = /(?:Listening on|started) \D*127\.0\.0\.1:(\d+)|HTTP.* at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)
    if (!port) continue
    url = `http://127.0.0.1:${port[1] ?? port[2]}`
    break
  }
  if (url === undefined) throw new Error(`${command} ended before it listened`)
  // The node keeps printing, and would block on a full pipe.
  stdout.resume()
  const { post, close } = httpClient(url)
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} has no process`)
  return {
    name,
    url,
    pid,
    async call(method, params = []) {
      const { result, error } = JSON.parse(await post(JSON.stringify(bodyOf(method, params))))
      if (error) throw new Error(`${name}, ${method}: ${error.code} ${error.message}`)
      return result
    },
    async submit(lanes, size) {
      const bodies = lanes.map((lane) => portions(lane, size).map((raws) => submission(raws)))
      const began = performance.now()
      await Promise.all(
        bodies.map(async (lane) => {
          for (const body of lane) refuseErrors(await post(body))
        }),
      )
      return performance.now() - began
    },
    async time(method, params, rounds, perRound) {
      const body = JSON.stringify(bodyOf(method, params))
      const all = []
      for (let round = 0; round < rounds; round++) {
        const began = performance.now()
        for (let i = 0; i < perRound; i++) refuseErrors(await post(body))
        all.push((performance.now() - began) / perRound)
      }
      return all
    },
    processorMs: () => Promise.resolve(processorMs(pid)),
    async stop() {
      close()
      child.kill('SIGTERM')
      // A busy one does not react.
      const grace = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      await exited
      clearTimeout(grace)
    },
  }
}

/** The body that submits them: one request or a batch. @param {readonly string[]} raws */
export function submission(raws) {
  const calls = raws.map((raw, id) => bodyOf('eth_sendRawTransaction', [raw], id))
  return JSON.stringify(calls.length === 1 ? calls[0] : calls)
}

/** @param {readonly string[]} list @param {number} size @returns {string[][]} */
export function portions(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}

/** The built server. @param {readonly string[]} [args] @param {readonly string[]} [nodeArgs] */
export function startBlinknet(args = ['--clock', 'manual'], nodeArgs = []) {
  const all = ['dist/server/main.js', '--port', '0', '--log', 'info', '--engine', 'wasm', ...args]
  return startHttp('node', process.execPath, [...nodeArgs, ...all])
}

/** The built server with ethereumjs: its EVM on Blinknet's flat state and trie, with WebAssembly cryptography. */
export function startReference() {
  const args = ['--port', '0', '--log', 'info', '--engine', 'reference', '--clock', 'manual']
  return startHttp('reference', process.execPath, ['dist/server/main.js', ...args])
}

/** What no server in Node.js can pass: bare `node:http`, whose answers are constant. */
export function startBareHttp() {
  return startHttp('bare', process.execPath, ['bench/versus/floors/bare-http.mjs'])
}

/** @param {readonly string[]} [args] */
export function startAnvil(args = ['--no-mining']) {
  const platform = process.platform
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const binary = createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}-${architecture}/bin/anvil`)
  return startHttp('anvil', binary, ['--host', '127.0.0.1', '--port', '0', '--gas-limit', '400000000', ...args])
}

/** Hardhat's options besides the defaults: mine on request, and large blocks. */
const HARDHAT_CONFIG = `module.exports = {
  solidity: '0.8.30',
  networks: {
    hardhat: { chainId: 31337, blockGasLimit: 400000000, mining: { auto: false, interval: 0, mempool: { order: 'fifo' } } },
  },
}
`

/** Installs Hardhat beside its configuration at the first run. @returns The folder. */
export function hardhatFolder() {
  const folder = path.resolve('.cache/hardhat')
  if (!existsSync(path.join(folder, HARDHAT_SCRIPT))) {
    console.error(`installing Hardhat ${HARDHAT_VERSION} …`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
    writeFileSync(path.join(folder, 'hardhat.config.cjs'), HARDHAT_CONFIG)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `hardhat@${HARDHAT_VERSION}`], { cwd: folder })
  }
  return folder
}

const HARDHAT_SCRIPT = 'node_modules/hardhat/internal/cli/cli.js'

/** Hardhat's node. */
export async function startHardhat() {
  const folder = hardhatFolder()
  const script = path.join(folder, HARDHAT_SCRIPT)
  const args = ['node', '--hostname', '127.0.0.1', '--port', String(await freePort()), '--config', 'hardhat.config.cjs']
  const env = { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' }
  return startHttp('hardhat', process.execPath, [script, ...args], { cwd: folder, env })
}

/** A free port. @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a server without a port')
  return address.port
}
