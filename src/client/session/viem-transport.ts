import {
  type Chain,
  createTransport,
  defineChain,
  type EIP1193RequestFn,
  type Transport,
  type WebSocketTransport,
} from 'viem'
import type { Hex } from '#primitives/hex.ts'
import type { BlinknetProvider } from './provider.ts'
import { subscribeRaw } from './subscribe.ts'

type Subscribe = Pick<NonNullable<ReturnType<WebSocketTransport>['value']>, 'subscribe'>
type SubscriptionData = Parameters<Parameters<Subscribe['subscribe']>[0]['onData']>[0]

/** A viem transport that pushes: the type says `webSocket`, by which viem's watch actions know that they need not poll. */
export type BlinknetTransport = Transport<'webSocket', Subscribe>

/** The node for viem's clients, `watchBlocks` and its like included. Nothing is retried: the node is in this page. */
export function blinknetTransport(provider: BlinknetProvider): BlinknetTransport {
  return () =>
    createTransport(
      {
        key: 'blinknet',
        name: 'Blinknet node',
        type: 'webSocket',
        retryCount: 0,
        request: provider.request as EIP1193RequestFn,
      },
      {
        async subscribe({ params, onData, onError }) {
          // What viem's own WebSocket transport passes on, whatever the declared type says: the notification's params.
          const onPayload = (result: unknown, subscription: Hex) =>
            onData({ subscription, result } as unknown as SubscriptionData)
          try {
            const { id, unsubscribe } = await subscribeRaw(provider, params, onPayload, (error) => onError?.(error))
            return {
              subscriptionId: id,
              unsubscribe: async () => ({ jsonrpc: '2.0', id: 0, result: await unsubscribe() }),
            }
          } catch (error) {
            onError?.(error)
            throw error
          }
        },
      },
    )
}

/**
 * The chain for viem's clients.
 *
 * @param partialMs - Milliseconds from one partial block to the next.
 */
export function blinknetChain(chainId = 31337, partialMs = 200, partialsPerBlock = 10): Chain {
  return defineChain({
    id: chainId,
    name: 'Blinknet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    blockTime: partialMs * partialsPerBlock,
    experimental_preconfirmationTime: partialMs,
    testnet: true,
  })
}
