import { type Networkish, SocketSubscriber, WebSocketProvider } from 'ethers'
import { createPublicClient, webSocket } from 'viem'
import { Web3, WebSocketProvider as Web3SocketProvider } from 'web3'
import type { StartedNode } from './running-node.ts'
import { CHAIN } from './viem-clients.ts'

/** A library's WebSocket connection. */
export interface Socket {
  readonly request: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** Calls `onPayload` with the `result` of each notification. */
  subscribe(params: readonly [kind: string, ...rest: unknown[]], onPayload: (payload: unknown) => void): Promise<void>
  close(): Promise<void>
}

/** How each library makes subscriptions that it has no name for. */
export const SOCKETS: Readonly<Record<'viem' | 'ethers' | 'web3.js', (node: StartedNode) => Promise<Socket>>> = {
  viem: viemSocket,
  ethers: ethersSocket,
  'web3.js': web3Socket,
}

async function viemSocket(node: StartedNode): Promise<Socket> {
  const transport = webSocket(node.webSocket, { retryCount: 0, keepAlive: false, reconnect: false })
  const client = createPublicClient({ chain: CHAIN, transport })
  return {
    request: (method, params) => client.request({ method, params } as never),
    async subscribe(params, onPayload) {
      const onData = ({ result }: { result?: unknown }) => onPayload(result)
      await client.transport.subscribe({ params: params as never, onData })
    },
    close: async () => (await client.transport.getRpcClient()).close(),
  }
}

/** ethers needs a subclass for each kind of subscription. */
class Listener extends SocketSubscriber {
  readonly #onPayload: (payload: unknown) => void

  constructor(provider: WebSocketProvider, params: readonly unknown[], onPayload: (payload: unknown) => void) {
    super(provider, [...params])
    this.#onPayload = onPayload
  }

  override async _emit(_provider: unknown, payload: unknown): Promise<void> {
    this.#onPayload(payload)
  }
}

async function ethersSocket(node: StartedNode): Promise<Socket> {
  const network: Networkish = 31337
  const provider = new WebSocketProvider(node.webSocket, network)
  const request: Socket['request'] = (method, params) => provider.send(method, [...params])
  return {
    request,
    async subscribe(params, onPayload) {
      new Listener(provider, params, onPayload).start()
      // Sent on the same socket after the subscription, so it is answered after it.
      await request('eth_chainId', [])
    },
    close: () => provider.destroy(),
  }
}

async function web3Socket(node: StartedNode): Promise<Socket> {
  const provider = new Web3SocketProvider(node.webSocket, {}, { autoReconnect: false })
  const { requestManager } = new Web3(provider)
  const request: Socket['request'] = (method, params) => requestManager.send({ method, params: [...params] })
  return {
    request,
    async subscribe(params, onPayload) {
      const id = await request('eth_subscribe', params)
      provider.on('message', (message: unknown) => {
        const notified = message as { params?: { subscription?: unknown; result?: unknown } }
        if (notified.params?.subscription === id) onPayload(notified.params?.result)
      })
    },
    close: async () => provider.disconnect(),
  }
}
