import { RemoteDisconnectedError } from '#client/session/remote-problem.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'
import { ANSWER_MS, answerId, isNotification, type RemoteLink, type RemoteLinkListener } from './remote-link.ts'

/** The part of `WebSocket` used here. */
export type SocketLike = Pick<WebSocket, 'send' | 'close' | 'readyState' | 'onopen' | 'onmessage' | 'onclose'>

/** `readyState` of an open socket. */
const OPEN = 1

interface PendingCall {
  resolve(body: string): void
  reject(error: DisconnectedError): void
}

/** Connects to an endpoint over a WebSocket. Requests made before the socket is open wait until it is. */
export function connectSocket(socket: SocketLike, listener: RemoteLinkListener): RemoteLink {
  const pending = new Map<number, PendingCall>()
  /** Requests that wait for the socket to open; `undefined` once it is. */
  let outbox: string[] | undefined = []
  let ended: DisconnectedError | undefined

  function end(error: DisconnectedError): boolean {
    if (ended) return false
    ended = error
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    clearTimeout(opening)
    socket.close()
    for (const call of pending.values()) call.reject(error)
    pending.clear()
    return true
  }
  function lose(error: DisconnectedError): void {
    if (end(error)) listener.onLost(error)
  }

  const opening = setTimeout(() => lose(new RemoteDisconnectedError({ code: 'silent' })), ANSWER_MS)
  socket.onopen = () => {
    clearTimeout(opening)
    const waiting = outbox ?? []
    outbox = undefined
    for (const body of waiting) socket.send(body)
  }
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'string') return lose(new RemoteDisconnectedError({ code: 'no-json-rpc' }))
    const id = answerId(data)
    const call = id === undefined ? undefined : pending.get(id)
    if (id !== undefined) pending.delete(id)
    if (call) return call.resolve(data)
    if (isNotification(data)) return listener.onNotification(data)
    // An answer without an id, as to garbage, which is never sent from here.
    if (id === undefined) lose(new RemoteDisconnectedError({ code: 'no-json-rpc' }))
  }
  socket.onclose = () =>
    // A browser does not say why a socket did not open.
    lose(
      outbox ? new RemoteDisconnectedError({ code: 'unreachable' }) : new DisconnectedError('the connection was lost'),
    )

  return {
    request(body) {
      if (ended) return Promise.reject(ended)
      return new Promise((resolve, reject) => {
        const { id } = JSON.parse(body) as { readonly id: number }
        const timer = setTimeout(() => lose(new RemoteDisconnectedError({ code: 'silent' })), ANSWER_MS)
        const settle =
          <Value>(act: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(timer)
            act(value)
          }
        pending.set(id, { resolve: settle(resolve), reject: settle(reject) })
        if (outbox) outbox.push(body)
        // A closing socket reports that soon, which ends this call with all others.
        else if (socket.readyState === OPEN) socket.send(body)
      })
    },
    close: () => void end(new DisconnectedError('the connection was closed')),
  }
}
