import type { Hex } from '#primitives/hex.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type { SubscriptionKind, Subscriptions } from '#rpc-types/subscriptions.ts'
import type { BlinknetProvider, ProviderEvents } from './provider.ts'

/** A running subscription. */
export interface FollowedSubscription {
  /** Ends it; events still on their way are dropped. Resolves with `false` if the node no longer knew it. */
  readonly unsubscribe: () => Promise<boolean>
}

/** A running subscription with its current id at the node. */
export interface RawSubscription extends FollowedSubscription {
  readonly id: Hex
}

/**
 * Subscribes to one kind of events. The subscription ends with the node; subscribe again at the next `connect`. If the
 * node ends it because events are read too slowly, it starts again as if by a new call.
 *
 * @param onPayload - Takes the events in order, including those that arrive before the subscription's id.
 * @throws {ProviderRpcError} If the node refuses, or is gone.
 */
export async function subscribe<Kind extends SubscriptionKind>(
  provider: BlinknetProvider,
  kind: Kind,
  params: Subscriptions[Kind]['params'],
  onPayload: (payload: Subscriptions[Kind]['payload']) => void,
): Promise<FollowedSubscription> {
  let closed = false
  const begin = () =>
    subscribeRaw(
      provider,
      [kind, ...params],
      (result) => onPayload(result as Subscriptions[Kind]['payload']),
      () => {
        if (closed) return
        current = begin()
        // A subscription only fails if the node is gone; then listeners of `connect` subscribe again.
        current.catch(() => {})
      },
    )
  let current = begin()
  await current
  return {
    async unsubscribe() {
      closed = true
      return (await current).unsubscribe()
    },
  }
}

/**
 * Like {@link subscribe}, for parameters not known at compile time.
 *
 * @param onEnded - Called with the reason if the node ends the subscription; no events follow.
 */
export async function subscribeRaw(
  provider: BlinknetProvider,
  params: readonly unknown[],
  onPayload: (payload: unknown, id: Hex) => void,
  onEnded: (error: JsonRpcErrorObject) => void,
): Promise<RawSubscription> {
  let id: Hex | undefined
  let early: ProviderEvents['message']['data'][] = []
  const onMessage = ({ data }: ProviderEvents['message']) => {
    if (id === undefined) early.push(data)
    else if (data.subscription === id) deliver(data, id)
  }
  function deliver(data: ProviderEvents['message']['data'], own: Hex): void {
    if (!('error' in data)) return onPayload(data.result, own)
    provider.removeListener('message', onMessage)
    onEnded(data.error)
  }
  provider.on('message', onMessage)
  try {
    const [kind, ...rest] = params
    id = await provider.request({ method: 'eth_subscribe', params: [kind as string, ...rest] as [string, unknown?] })
  } catch (error) {
    provider.removeListener('message', onMessage)
    throw error
  }
  for (const data of early) if (data.subscription === id) deliver(data, id)
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
