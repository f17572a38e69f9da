import type { BlinknetProvider, ProviderEvents } from '#client/session/provider.ts'
import type { Hex } from '#primitives/hex.ts'

type EventData = ProviderEvents['message']['data']

/** One dapp's subscriptions, separate from those of the page and of other dapps. */
export interface WalletSubscriptions {
  subscribe(params: readonly unknown[]): Promise<Hex>
  /** Resolves with `false` for a subscription that is not the dapp's. */
  unsubscribe(id: unknown): Promise<boolean>
  close(): void
}

/**
 * Lets one dapp subscribe through the page's provider and receive only its own events.
 *
 * @param deliver - Takes the events in order; those that arrive before the answer to `eth_subscribe` follow it.
 */
export function createWalletSubscriptions(
  node: BlinknetProvider,
  deliver: (data: EventData) => void,
): WalletSubscriptions {
  const own = new Set<string>()
  /**
   * Number of pending `eth_subscribe` calls. Meanwhile events of unknown subscriptions are kept, as they may belong to
   * them.
   */
  let opening = 0
  let early: EventData[] = []
  /** Events of subscriptions whose id the dapp is about to receive. */
  const held = new Map<string, EventData[]>()
  let closed = false

  const onMessage = ({ data }: ProviderEvents['message']) => {
    const waiting = held.get(data.subscription)
    if (waiting) waiting.push(data)
    else if (own.has(data.subscription)) deliverOwn(data)
    else if (opening > 0) early.push(data)
  }
  function deliverOwn(data: EventData): void {
    if (closed) return
    if ('error' in data) own.delete(data.subscription)
    deliver(data)
  }
  /** The dapp must know the id before its first event, and receives it a few microtasks from now. */
  function hold(id: Hex): void {
    const mine = early.filter((data) => data.subscription === id)
    if (mine.length === 0) return
    held.set(id, mine)
    setTimeout(() => {
      held.delete(id)
      for (const data of mine) deliverOwn(data)
    })
  }
  node.on('message', onMessage)
  /** Subscriptions ended with the node. */
  const onDisconnect = () => own.clear()
  node.on('disconnect', onDisconnect)

  const end = (id: Hex) => node.request({ method: 'eth_unsubscribe', params: [id] })

  return {
    async subscribe(params) {
      opening++
      try {
        const id = await node.request({ method: 'eth_subscribe', params: params as [string, unknown?] })
        if (closed) await end(id)
        else own.add(id)
        hold(id)
        return id
      } finally {
        if (--opening === 0) early = []
      }
    },
    async unsubscribe(id) {
      if (typeof id !== 'string' || !own.delete(id)) return false
      return end(id as Hex)
    },
    close() {
      closed = true
      node.removeListener('message', onMessage)
      node.removeListener('disconnect', onDisconnect)
      for (const id of own) {
        // Ending one only fails if the node is gone, and its subscriptions with it.
        end(id as Hex).catch(() => {})
      }
      own.clear()
    },
  }
}
