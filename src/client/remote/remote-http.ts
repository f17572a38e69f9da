import { RemoteDisconnectedError } from '#client/session/remote-problem.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'
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

  /** `fetch` fails the same way for a server that is down and for one that does not let this origin read. */
  async function explain(error: unknown): Promise<DisconnectedError> {
    if (closed.signal.aborted) return new DisconnectedError('the connection was closed', { cause: error })
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      return new RemoteDisconnectedError({ code: 'silent' }, { cause: error })
    }
    try {
      // Without CORS nothing can be read, but it is enough to know that something answered.
      await send(url, {
        mode: 'no-cors',
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.any([closed.signal, AbortSignal.timeout(ANSWER_MS)]),
      })
    } catch {
      return new RemoteDisconnectedError({ code: 'unreachable' }, { cause: error })
    }
    return new RemoteDisconnectedError({ code: 'cross-origin' }, { cause: error })
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
