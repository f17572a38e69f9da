import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import type { TestNode } from '#testing/node/test-node.ts'

/** What answers JSON-RPC bodies, behind HTTP, as the endpoint of a fork. */
export interface ServedTestChain {
  readonly url: string
  /** Headers of each request, oldest first. */
  readonly requests: readonly IncomingHttpHeaders[]
  close(): Promise<void>
}

/**
 * @param refuses - Whether a body is refused, by status 403 and nothing else.
 * @param port - By default a free one.
 */
export async function serveChain(
  node: Pick<TestNode, 'raw'>,
  refuses: (body: string) => boolean = () => false,
  port = 0,
): Promise<ServedTestChain> {
  const requests: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    requests.push(request.headers)
    void text(request).then(async (body) => {
      if (refuses(body)) response.writeHead(403).end('<html>Forbidden</html>')
      else response.end(await node.raw(body))
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Posts a body as a page of that origin does. */
export async function postFrom(origin: string, port: number, body: unknown): Promise<JsonRpcResponse> {
  const headers = { 'Content-Type': 'application/json', Origin: origin }
  const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers })
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return JSON.parse(await text(response)) as JsonRpcResponse
}
