import { isReachable } from '#client/remote/is-reachable.ts'
import { type ChainAddress, isMixedContent } from '#client/session/remote-endpoint.ts'
import { RemoteEndpoint } from '#endpoint/remote-endpoint.ts'

/** How often a request is sent again, and the first wait before that. */
const RETRIES = 4
const BACKOFF_MS = 500
const TIMEOUT_MS = 45_000
/** Milliseconds to find out whether anything answers at all. */
const PROBE_MS = 10_000
/** Most bytes of an answer: a page that parses more stands still for too long. */
const MAX_ANSWER_BYTES = 8 << 20

/**
 * The endpoint of a chain elsewhere, as this page may ask it: only a document whose policy allows other hosts.
 *
 * @param retries - As in `EndpointOptions`.
 */
export function forkEndpoint(address: ChainAddress, pageProtocol: string, retries: number = RETRIES): RemoteEndpoint {
  return new RemoteEndpoint({
    url: address.url,
    headers: [],
    retries,
    backoffMs: BACKOFF_MS,
    timeoutMs: TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    defer: afterTask,
    request: { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' },
    async diagnose(url) {
      if (!navigator.onLine) return 'this browser has no network'
      if (isMixedContent(address, pageProtocol)) {
        return 'the browser does not let a page from https:// connect to an http:// address'
      }
      const isThere = await isReachable(url, AbortSignal.timeout(PROBE_MS), (input, init) => fetch(input, init))
      return isThere ? 'it does not allow this page to read its answers (CORS)' : undefined
    },
  })
}

/** After what has been posted to this thread. A timer would wait for a second in a tab that is out of sight. */
function afterTask(send: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    send()
  }
  port2.postMessage(null)
}
