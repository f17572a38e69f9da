import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Headers of an offer to speak another protocol. */
const OFFER = new Set(['connection', 'upgrade', 'http2-settings'])

/** Whether a request asks to become a WebSocket. */
export function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Answers a request as if it had not offered another protocol, as RFC 9110 lets a server do. Java's HTTP client offers
 * HTTP/2 with each request. Node.js before 24.9 has already let go of the connection, so the request is put back and read
 * again; since then `shouldUpgradeCallback` keeps it from doing so.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders, headers } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (!OFFER.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[i + 1]}`)
  }
  if (/\bclose\b/i.test(headers.connection ?? '')) lines.push('Connection: close')
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
