import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { MAX_BODY_BYTES } from '#transport/http-rules.ts'
import { type AccessRules, accessRefusal } from './access.ts'

/** Bytes that may wait, for a while, for a client that reads slower than it is sent to. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024
/** Milliseconds for which more than that may wait: a large answer takes a fast reader less. */
const MAX_BUFFERED_MS = 5_000
/** Times the limit on what waits, beyond which no client is waited for. */
const HARD_LIMIT_FACTOR = 8

/** Close codes of RFC 6455, and 1013 of its registry. */
const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011
const TRY_AGAIN_LATER = 1013

export interface WebSocketOptions {
  readonly access: AccessRules
  /** Bytes; default 16 MiB. */
  readonly maxBufferedBytes?: number
  /** Told about sockets that broke. */
  readonly onError: (message: string, error: unknown) => void
}

/** Serves the node over WebSocket, subscriptions included. */
export interface WebSocketHandler {
  /** Takes over an HTTP connection that asks to become a WebSocket. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Says goodbye to every client. */
  close(): void
  /** Cuts off those that have not answered the goodbye. */
  terminate(): void
}

/** Every socket is one connection to `endpoint`. */
export function createWebSocketHandler(endpoint: RpcEndpoint, options: WebSocketOptions): WebSocketHandler {
  const { access, maxBufferedBytes = MAX_BUFFERED_BYTES, onError } = options
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    perMessageDeflate: false,
  })

  function serve(socket: WebSocket): void {
    const connection = endpoint.connect(send)
    let slowSince: number | undefined

    function send(body: string): void {
      if (socket.readyState !== socket.OPEN) return
      // What this frame adds says nothing about the reader: only what waited before it does.
      const waiting = socket.bufferedAmount
      if (waiting <= maxBufferedBytes) slowSince = undefined
      else slowSince ??= performance.now()
      socket.send(body)
      const slow = slowSince !== undefined && performance.now() - slowSince > MAX_BUFFERED_MS
      if (!slow && waiting <= HARD_LIMIT_FACTOR * maxBufferedBytes) return
      connection.close()
      socket.close(TRY_AGAIN_LATER, `too slow: over ${maxBufferedBytes} bytes wait to be read`)
    }

    async function answer(message: Buffer): Promise<void> {
      const body = await connection.handle(message.toString('utf8'))
      if (body !== undefined) send(body)
    }

    // With the binary type `nodebuffer`, which is the default, every message is one Buffer.
    socket.on('message', (message) => {
      answer(message as Buffer).catch((error: unknown) => {
        // `handle` never rejects; if it does all the same, that bug ends this socket and not the process.
        onError('a WebSocket message could not be answered', error)
        socket.close(INTERNAL_ERROR, 'internal error')
      })
    })
    socket.on('close', () => connection.close())
    socket.on('error', (error) => onError('a WebSocket client broke the protocol or the connection', error))
  }

  return {
    upgrade(request, socket, head) {
      const refusal = accessRefusal(request.headers, access)
      if (refusal !== undefined) return forbid(socket, refusal, onError)
      server.handleUpgrade(request, socket, head, serve)
    },
    close() {
      for (const client of server.clients) client.close(GOING_AWAY, 'the node is stopping')
      server.close()
    },
    terminate() {
      for (const client of server.clients) client.terminate()
    },
  }
}

/** Refuses to upgrade: status 403 with the reason. */
function forbid(socket: Duplex, reason: string, onError: WebSocketOptions['onError']): void {
  socket.on('error', (error) => onError('a refused WebSocket client broke the connection', error))
  const headers = `Connection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(reason)}`
  socket.end(`HTTP/1.1 403 Forbidden\r\n${headers}\r\n\r\n${reason}`)
}
