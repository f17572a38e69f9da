import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

/**
 * A chain that runs by itself only when it is told to mine, behind its usual interface.
 *
 * @typedef {object} Chain
 * @property {import('./figures.mjs').System} name
 * @property {number | undefined} pid
 * @property {string | undefined} url
 * @property {(method: string, params?: readonly unknown[]) => Promise<any>} call
 * @property {(lanes: readonly (readonly string[])[], size: number) => Promise<number>} submit - Sends the transactions of
 * all lanes at the same time, in each one after the other, or `size` at once. Milliseconds until all are accepted.
 * @property {(method: string, params: readonly unknown[], rounds: number, perRound: number) => Promise<number[]>} time -
 * Milliseconds of a call, the mean of each round.
 * @property {() => Promise<void>} stop
 */

/** How long a chain may take to end, in milliseconds. */
const GRACE_MS = 3_000

/** @param {string} method @param {readonly unknown[]} params @param {number} [id] */
export const bodyOf = (method, params, id = 1) => ({ jsonrpc: '2.0', id, method, params })

/** A client over HTTP that keeps its connections. @param {string} url */
function httpClient(url) {
  const agent = new Agent({ keepAlive: true })
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
  // It keeps printing, and would block on a full pipe.
  stdout.resume()
  const { post, close } = httpClient(url)
  return {
    name,
    url,
    pid: child.pid,
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
    async stop() {
      close()
      child.kill('SIGTERM')
      // One that is busy does not listen.
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

/** @param {readonly string[]} [args] */
export function startAnvil(args = ['--no-mining']) {
  const platform = process.platform
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const binary = createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}-${architecture}/bin/anvil`)
  return startHttp('anvil', binary, ['--host', '127.0.0.1', '--port', '0', '--gas-limit', '400000000', ...args])
}
