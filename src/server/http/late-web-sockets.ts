import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketHandler } from './ws-handler.ts'

/**
 * A WebSocket handler that is loaded with the first connection. Most programs open none, and what it needs, TLS among it,
 * takes a tenth of the server's start.
 *
 * @param onError - Called if it cannot be loaded; the next connection tries again.
 */
export function lateWebSockets(
  load: () => Promise<WebSocketHandler>,
  onError: (message: string, error: unknown) => void,
): WebSocketHandler {
  let loaded: WebSocketHandler | undefined
  let loading: Promise<WebSocketHandler> | undefined
  let closed = false

  async function upgradeLater(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Node.js no longer listens to it: a connection that breaks would end the process.
    const broken = () => {}
    socket.on('error', broken)
    try {
      loading ??= load()
      loaded = await loading
    } catch (error) {
      loading = undefined
      onError('WebSockets could not be loaded', error)
      socket.destroy()
      return
    }
    if (closed || socket.destroyed) return void socket.destroy()
    loaded.upgrade(request, socket, head)
    socket.off('error', broken)
  }

  return {
    upgrade(request, socket, head) {
      if (loaded) loaded.upgrade(request, socket, head)
      else void upgradeLater(request, socket, head)
    },
    close() {
      closed = true
      loaded?.close()
    },
  }
}
