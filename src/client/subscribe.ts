import type { Hex } from '#primitives/hex.ts'
import type { SubscriptionKind, Subscriptions } from '#rpc-types/subscriptions.ts'
import type { BlinknetProvider } from './provider.ts'
import type { ProviderEvents } from './provider-events.ts'

/** A running subscription. */
export interface Subscription {
  readonly id: Hex
  /** Ends it; what is already under way is not delivered any more. `false` if the node no longer knew it. */
  readonly unsubscribe: () => Promise<boolean>
}

/**
 * Subscribes to one kind of events. The subscription ends with the node: subscribe again at the next `connect`.
 *
 * @param onPayload - Takes each event in order, those that arrive before the subscription's id included.
 * @throws {ProviderRpcError} If the node refuses, or is gone.
 */
export async function subscribe<Kind extends SubscriptionKind>(
  provider: BlinknetProvider,
  kind: Kind,
  params: Subscriptions[Kind]['params'],
  onPayload: (payload: Subscriptions[Kind]['payload']) => void,
): Promise<Subscription> {
  return subscribeRaw(provider, [kind, ...params], (result) => onPayload(result as Subscriptions[Kind]['payload']))
}

/** {@link subscribe} for parameters that are not known when this is compiled. */
export async function subscribeRaw(
  provider: BlinknetProvider,
  params: readonly unknown[],
  onPayload: (payload: unknown, id: Hex) => void,
): Promise<Subscription> {
  let id: Hex | undefined
  let early: ProviderEvents['message']['data'][] = []
  const onMessage = ({ data }: ProviderEvents['message']) => {
    if (id === undefined) early.push(data)
    else if (data.subscription === id) onPayload(data.result, id)
  }
  provider.on('message', onMessage)
  try {
    const [kind, ...rest] = params
    id = await provider.request({ method: 'eth_subscribe', params: [kind as string, ...rest] as [string, unknown?] })
  } catch (error) {
    provider.removeListener('message', onMessage)
    throw error
  }
  for (const { subscription, result } of early) if (subscription === id) onPayload(result, id)
  early = []
  const subscribed = id
  return {
    id: subscribed,
    unsubscribe() {
      provider.removeListener('message', onMessage)
      return provider.request({ method: 'eth_unsubscribe', params: [subscribed] })
    },
  }
}
