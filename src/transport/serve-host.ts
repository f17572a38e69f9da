import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import {
  errorText,
  type FromNode,
  type PortEvent,
  type PortLike,
  PROTOCOL,
  protocolMismatch,
  type ToNode,
} from './messages.ts'
import { type ServedCaller, serveCaller, servePort, unknownMessage } from './serve-port.ts'

/** The node's side of a worker: boots one node and serves it to the page and to every attached port. */
export interface NodeHost {
  /** Reports an error that nothing handled: every caller's pending calls end. */
  fail(thrown: unknown): void
}

/**
 * Says `ready` on `port`, boots the node when told to, and serves it.
 *
 * @param boot - Builds and starts the node; rejects with the reason why it cannot run.
 */
export function serveHost(port: PortLike, boot: (options: NodeOptions) => Promise<RpcEndpoint>): NodeHost {
  const post = (message: FromNode) => port.postMessage(message)
  /** Attached while the node boots; a port keeps its messages until it is served. */
  const waiting: PortLike[] = []
  const attached: ServedCaller[] = []
  let booting = false
  let endpoint: RpcEndpoint | undefined
  let page: ServedCaller | undefined
  let failed = false

  function fail(thrown: unknown): void {
    if (failed) return
    failed = true
    const message = errorText(thrown)
    for (const caller of attached) caller.fail(message)
    const unserved: FromNode = { kind: 'failed', message }
    for (const unservedPort of waiting) unservedPort.postMessage(unserved)
    if (page) page.fail(message)
    else post(unserved)
  }

  async function start(protocol: number, options: NodeOptions): Promise<void> {
    const mismatch = protocolMismatch(protocol)
    if (mismatch) return fail(mismatch)
    if (booting) return fail('the node was told to boot twice')
    booting = true
    try {
      endpoint = await boot(options)
    } catch (error) {
      return fail(error)
    }
    if (failed) return
    page = serveCaller(endpoint, port)
    for (const waitingPort of waiting.splice(0)) attached.push(servePort(endpoint, waitingPort))
    post({ kind: 'booted' })
  }

  port.onmessage = ({ data }: PortEvent<ToNode>) => {
    switch (data.kind) {
      case 'boot':
        void start(data.protocol, data.options)
        return
      case 'attach':
        if (failed) data.port.postMessage({ kind: 'failed', message: 'the node has stopped' } satisfies FromNode)
        else if (endpoint) attached.push(servePort(endpoint, data.port))
        else waiting.push(data.port)
        return
      case 'rpc':
      case 'read':
      case 'close':
        if (page) page.receive(data)
        else fail('the node was called before it had booted')
        return
      default:
        fail(unknownMessage(data))
    }
  }
  port.onmessageerror = () => fail('a message to the node could not be read')
  post({ kind: 'ready', protocol: PROTOCOL })
  return { fail }
}
