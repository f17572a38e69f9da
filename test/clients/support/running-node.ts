import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createNode } from '#node/node.ts'
import { createSystemClock } from '#primitives/system-clock.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { startServer } from '../../../src/server/http/start-server.ts'

/** A node with HTTP and WebSocket on its own port. */
export interface StartedNode {
  readonly name: 'Blinknet' | 'anvil'
  readonly http: string
  readonly webSocket: string
  /**
   * The result of a call made without a library.
   *
   * @throws {Error} With the node's code and message.
   */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>
  /**
   * A call with EIP-1193's params, as some methods take an object.
   *
   * @throws {Error} With the node's code, message and data.
   */
  request(call: { readonly method: string; readonly params?: readonly unknown[] | object }): Promise<unknown>
  close(): Promise<void>
}

const HOST = '127.0.0.1'
/** How long anvil may take to listen, in milliseconds. */
const ANVIL_START_MS = 15_000

/** The real node and server, in this process. */
export async function startBlinknet(options: NodeOptions): Promise<StartedNode> {
  const log = (level: string, message: string, details?: unknown) => {
    if (level === 'error') process.stderr.write(`Blinknet: ${message} ${String(details)}\n`)
  }
  const clock = createSystemClock(globalThis)
  const node = await createNode(options, { clock, log })
  const server = await startServer(node, { host: HOST, port: 0, log })
  node.start()
  return nodeAt('Blinknet', server.port, async () => {
    await server.close()
    await node.close()
  })
}

/** anvil with Blinknet's chain id, gas limit, accounts and EVM rules. */
export async function startAnvil(binary: string, args: readonly string[]): Promise<StartedNode> {
  const common = [
    '--host',
    HOST,
    '--port',
    '0',
    '--chain-id',
    '31337',
    '--hardfork',
    'osaka',
    '--gas-limit',
    '400000000',
  ]
  const child = spawn(binary, [...common, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => void child.kill()
  process.once('exit', kill)
  const port = await new Promise<number>((resolve, reject) => {
    let printed = ''
    const timer = setTimeout(
      () => reject(new Error(`anvil did not start listening; it printed ${printed}`)),
      ANVIL_START_MS,
    )
    const settle = (end: () => void) => {
      clearTimeout(timer)
      end()
    }
    child.once('error', (error) => settle(() => reject(error)))
    child.once('exit', (code) => settle(() => reject(new Error(`anvil ended with ${code}; it printed ${printed}`))))
    child.stdout.on('data', (data: Buffer) => {
      // Drains its output: a full pipe would block it.
      if (printed.length < 10_000) printed += data.toString('utf8')
      const listening = /Listening on \S+:(\d+)/.exec(printed)
      if (listening) settle(() => resolve(Number(listening[1])))
    })
  })
  return nodeAt('anvil', port, async () => {
    process.off('exit', kill)
    if (child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill()
    await exited
  })
}

/** A node that listens at that port of this machine. */
export function nodeAt(name: StartedNode['name'], port: number, close: () => Promise<void>): StartedNode {
  const http = `http://${HOST}:${port}`
  const request: StartedNode['request'] = async ({ method, params }) => {
    const response = await fetch(http, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as {
      result?: unknown
      error?: { code: number; message: string; data?: unknown }
    }
    if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result
  }
  return {
    name,
    http,
    webSocket: `ws://${HOST}:${port}`,
    close,
    rpc: (method, ...params) => request({ method, params }),
    request,
  }
}
