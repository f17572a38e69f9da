import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'

/** A call as pages send it. */
export interface ServedCall {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** A server on a free port. */
export interface JsonRpcServer {
  readonly url: string
  readonly stop: () => void
}

/**
 * Starts a server whose answers a test makes up; it ends with the test.
 *
 * @param answer - The result of a call; what it throws is answered as an error, with its code if it has one.
 * @param options.cors - Whether pages may read the answers; default true.
 */
export type Serve = (
  answer: (call: ServedCall) => unknown,
  options?: { readonly cors?: boolean },
) => Promise<JsonRpcServer>

/** The fixture for {@link Serve}. */
export async function serving({ page }: { readonly page: Page }, use: (serve: Serve) => Promise<void>): Promise<void> {
  const servers: Server[] = []
  await use(async (answer, { cors = true } = {}) => {
    const server = createServer((request, response) => {
      if (cors) {
        response.setHeader('Access-Control-Allow-Origin', '*')
        response.setHeader('Access-Control-Allow-Headers', '*')
      }
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        if (request.method !== 'POST') return void response.end()
        response.setHeader('Content-Type', 'application/json')
        void answerBody(body, answer).then((text) => response.end(text))
      })
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      stop() {
        server.close()
        server.closeAllConnections()
      },
    }
  })
  // A page that stays open would log failed requests.
  await page.close()
  for (const server of servers) server.close()
}

async function answerBody(body: string, answer: (call: ServedCall) => unknown): Promise<string> {
  const answerTo = async (call: ServedCall) => {
    const { id } = call
    try {
      return { jsonrpc: '2.0', id, result: await answer(call) }
    } catch (error) {
      const { code = -32000, message } = error as { readonly code?: number; readonly message: string }
      return { jsonrpc: '2.0', id, error: { code, message } }
    }
  }
  const asked = JSON.parse(body) as ServedCall | readonly ServedCall[]
  return JSON.stringify(await (Array.isArray(asked) ? Promise.all(asked.map(answerTo)) : answerTo(asked as ServedCall)))
}
