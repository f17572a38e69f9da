import { RemoteDisconnectedError } from '#client/session/remote-problem.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'
import { isReachable } from './is-reachable.ts'
import { ANSWER_MS, answerId, type RemoteLink, type RemoteLinkListener } from './remote-link.ts'

/** Connects to an endpoint over HTTP, which cannot push. A failed request means a lost connection. */
export function connectHttp(url: string, listener: RemoteLinkListener, send: typeof fetch): RemoteLink {
  const closed = new AbortController()

  async function post(body: string): Promise<string> {
    let response: Response
    let text: string
    try {
      response = await send(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.any([closed.signal, AbortSignal.timeout(ANSWER_MS)]),
      })
      text = await response.text()
    } catch (error) {
      throw await explain(error)
    }
    // Some servers send JSON-RPC errors with their own HTTP status.
    if (answerId(text) !== undefined) return text
    if (!response.ok) throw new RemoteDisconnectedError({ code: 'http-status', status: response.status })
    throw new RemoteDisconnectedError({ code: 'no-json-rpc' })
  }

  async function explain(error: unknown): Promise<DisconnectedError> {
    if (closed.signal.aborted) return new DisconnectedError('the connection was closed', { cause: error })
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      return new RemoteDisconnectedError({ code: 'silent' }, { cause: error })
    }
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(ANSWER_MS)])
    const code = (await isReachable(url, signal, send)) ? 'cross-origin' : 'unreachable'
    return new RemoteDisconnectedError({ code }, { cause: error })
  }

  return {
    async request(body) {
      if (closed.signal.aborted) throw new DisconnectedError('the connection was closed')
      try {
        return await post(body)
      } catch (error) {
        if (error instanceof DisconnectedError && !closed.signal.aborted) listener.onLost(error)
        throw error
      }
    },
    close: () => closed.abort(),
  }
}
