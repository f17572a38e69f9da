import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { createSystemClock, type TimerHost } from '#primitives/system-clock.ts'
import type { LatestReading, NotificationParts, RpcConnection } from '#rpc-types/connection.ts'
import { latestReadingOf, REFUSALS } from '#transport/http-rules.ts'
import { NEW_HEADS_REFUSAL, newHeadsOf } from '#transport/new-heads.ts'
import { type AccessRules, accessRefusal } from './access.ts'
import { slownessOver } from './bounded-output.ts'
import { FrameQueue, WriteRounds } from './frame-queue.ts'
import { pongFrame, type SharedBytes, type SharedTexts, sharedBytes, textFrame } from './frames.ts'
import type { ServerLimits } from './limits.ts'
import { SharedBudget } from './shared-budget.ts'
import { takeTurns } from './take-turns.ts'

/** Close codes of RFC 6455, and 1013 of its registry. */
const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011
const TRY_AGAIN_LATER = 1013

/**
 * Opens the connection of one socket.
 *
 * @param push - Takes notifications: JSON.
 */
export type ConnectSocket = (
  push: (body: string | SharedTexts, parts?: NotificationParts) => void,
  latest: LatestReading,
  request: IncomingMessage,
) => RpcConnection

export interface WebSocketOptions {
  readonly access: AccessRules
  readonly limits: Pick<ServerLimits, 'webSockets' | 'pushedBytes' | 'bufferedBytes'>
  /** Bytes of a message, at most. */
  readonly bodyBytes: number
  /** The reading of `latest` at addresses that do not say. */
  readonly latest: LatestReading
  /** For incomplete messages; shared with HTTP requests. */
  readonly received: SharedBudget
  /** Called with what is wrong with this server. */
  readonly onError: (message: string, error: unknown) => void
}

/** Serves the node over WebSocket, subscriptions included. */
export interface WebSocketHandler {
  /** Takes over an HTTP connection that asks to become a WebSocket. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Sends every client a close frame. */
  close(): void
}

/** Every socket is one connection, which `connect` opens. */
export function createWebSocketHandler(connect: ConnectSocket, options: WebSocketOptions): WebSocketHandler {
  const { access, limits, received, onError } = options
  const { bufferedBytes } = limits
  const pushed = new SharedBudget(limits.pushedBytes)
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.bodyBytes,
    perMessageDeflate: false,
    // Done below, so that it counts.
    autoPong: false,
  })

  const rounds = new WriteRounds(createSystemClock(globalThis as unknown as TimerHost))
  const lines = new Set<{ readonly socket: WebSocket; readonly queue: FrameQueue }>()

  function serve(socket: WebSocket, request: IncomingMessage, latest: LatestReading): void {
    const { socket: raw } = request
    const connection = connect(push, latest, request)
    const output = pushed.open(() => {
      queue.close()
      // A clean close would wait for the slow reader; its memory is needed now.
      socket.terminate()
    })
    const isOpen = () => socket.readyState === socket.OPEN
    const queue = new FrameQueue(raw, isOpen, output, rounds)
    const line = { socket, queue }
    lines.add(line)
    const input = received.open(() => socket.terminate())
    const isTooSlow = slownessOver(bufferedBytes)
    let begunBytes = 0

    function push(body: string | SharedTexts, parts?: NotificationParts): void {
      if (!isOpen()) return
      // Only what was there before says that the reader is slow.
      const tooSlow = isTooSlow(queue.waitingBytes)
      if (parts) queue.notify(parts)
      else queue.write(typeof body === 'string' ? framesOf(body) : body.frames)
      if (!tooSlow) return
      connection.close()
      queue.close()
      socket.close(TRY_AGAIN_LATER, `too slow: over ${bufferedBytes} bytes wait to be read`)
    }

    async function answer(message: Buffer): Promise<void> {
      const body = await connection.handle(message.toString('utf8'))
      if (body !== undefined) push(body)
    }

    // Runs before the parser, which does not report partial messages.
    raw.prependListener('data', (chunk: Buffer) => {
      begunBytes += chunk.length
      input.add(chunk.length)
      takeTurns(socket, chunk)
    })

    // With the binary type `nodebuffer`, which is the default, every message is one Buffer.
    socket.on('message', (message) => {
      input.add(-begunBytes)
      begunBytes = 0
      answer(message as Buffer).catch((error: unknown) => {
        // `handle` never rejects; if it does all the same, that bug ends this socket and not the process.
        onError('a WebSocket message could not be answered', error)
        queue.flush()
        socket.close(INTERNAL_ERROR, 'internal error')
      })
    })
    // A client that keeps sending pings and reads no pongs counts as slow too.
    socket.on('ping', (data) => {
      if (queue.waitingBytes > bufferedBytes) socket.terminate()
      else if (isOpen()) queue.write(sharedBytes(pongFrame(data)))
    })
    socket.on('close', () => {
      lines.delete(line)
      input.end()
      queue.close()
      output.end()
      connection.close()
    })
    // The client broke the protocol or the connection; `ws` closes the socket.
    socket.on('error', () => {})
  }

  return {
    upgrade(request, socket, head) {
      const refusal = accessRefusal(request.headers, access)
      if (refusal !== undefined) return refuseUpgrade(socket, '403 Forbidden', refusal)
      const latest = latestReadingOf(request.url ?? '') ?? options.latest
      if (latest === 400) return refuseUpgrade(socket, '400 Bad Request', REFUSALS[400])
      if (newHeadsOf(request.url ?? '') === 400) return refuseUpgrade(socket, '400 Bad Request', NEW_HEADS_REFUSAL)
      if (server.clients.size >= limits.webSockets) {
        const reason = `too many WebSockets: ${limits.webSockets} are open, close some first\n`
        return refuseUpgrade(socket, '503 Service Unavailable', reason)
      }
      server.handleUpgrade(request, socket, head, (opened) => serve(opened, request, latest))
    },
    close() {
      for (const { socket, queue } of lines) {
        queue.flush()
        socket.close(GOING_AWAY, 'the node is stopping')
      }
      server.close()
    },
  }
}

const framesOf = (text: string): SharedBytes => sharedBytes(textFrame(text))

/** Refuses to upgrade, with the reason in words. The connection ends, whether its client ends its side or not. */
function refuseUpgrade(socket: Duplex, status: string, reason: string): void {
  socket.on('error', () => {})
  socket.once('finish', () => socket.destroy())
  const headers = `Connection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(reason)}`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${reason}`)
}
