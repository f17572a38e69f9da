import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * @typedef {{ url: string, pid: number, stop: () => Promise<void> }} Server
 */

/**
 * Starts the built server on a free port and waits until it listens. `stop` ends it and throws if it did not exit
 * cleanly.
 *
 * @param {readonly string[]} [args]
 * @returns {Promise<Server>}
 * @throws {Error} If it exits before it listens.
 */
export async function startServer(args = []) {
  const child = spawn(process.execPath, ['dist/server/main.js', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Listening on (http:\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return {
      url,
      pid: child.pid ?? 0,
      async stop() {
        child.kill('SIGTERM')
        const [code] = await exited
        if (code !== 0) throw new Error(`the server ended with exit code ${code}`)
      },
    }
  }
  const [code] = await exited
  throw new Error(`the server ended with exit code ${code} before it listened`)
}

/**
 * A JSON-RPC call over HTTP.
 *
 * @param {string} url
 * @param {string} method
 * @param {readonly unknown[]} [params]
 * @returns {Promise<any>}
 */
export async function rpc(url, method, params = []) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
  return result
}
