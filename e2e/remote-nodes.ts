import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { foundryBinary } from '../test/clients/support/foundry.ts'
import { expect, type Playground, test as playgroundTest } from './playground.ts'

/** A remote chain. */
export interface RemoteNode {
  readonly http: string
  readonly webSocket: string
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>
  stop(): Promise<void>
}

/** Starts chains; those still running at the end of a test are stopped. */
export interface RemoteNodes {
  /** The built server, on `port` or a free one. */
  blinknet(args?: readonly string[], port?: number): Promise<RemoteNode>
  anvil(args?: readonly string[]): Promise<RemoteNode>
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}

/** Browser messages about failed requests. */
const FAILED_REQUEST = /Failed to load resource|CORS policy|WebSocket connection/
const failing = new WeakSet<Playground>()

/** Ignores failed requests that the test causes; the browser may log them late. */
export function expectFailedRequests(playground: Playground): void {
  failing.add(playground)
}

export const test = playgroundTest.extend<{ nodes: RemoteNodes }>({
  playground: async ({ playground }, use) => {
    await use(playground)
    if (!failing.has(playground)) return
    const others = playground.complaints.filter((complaint) => !FAILED_REQUEST.test(complaint))
    playground.complaints.splice(0, playground.complaints.length, ...others)
  },
  nodes: async ({ page }, use, testInfo) => {
    const running: RemoteNode[] = []
    const start = async (command: string, args: readonly string[]) => {
      const node = await startNode(command, args)
      running.push(node)
      return node
    }
    await use({
      blinknet: (args = [], port = 0) =>
        start(process.execPath, ['dist/server/main.js', '--port', String(port), ...args]),
      anvil(args = []) {
        const binary = foundryBinary('anvil')
        testInfo.skip(binary === undefined, 'npm has no anvil for this platform')
        return start(binary ?? '', ['--host', '127.0.0.1', '--port', '0', ...args])
      },
    })
    // A page that stays open would log failed requests.
    await page.close()
    for (const node of running) await node.stop()
  },
})

/** Starts a program that prints where it listens. */
async function startNode(command: string, args: readonly string[]): Promise<RemoteNode> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /Listening on \D*(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    // The node keeps printing, and would block on a full pipe.
    child.stdout.resume()
    const http = `http://127.0.0.1:${port}`
    return {
      http,
      webSocket: `ws://127.0.0.1:${port}`,
      async rpc(method, ...params) {
        const response = await fetch(http, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        })
        const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
        if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
        return answer.result
      },
      async stop() {
        child.kill('SIGTERM')
        await exited
      },
    }
  }
  throw new Error(`${command} ended before it listened`)
}

export { expect }
