import type { Hash } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { isAtStage, type TransactionStage } from '#rpc-types/transaction-stage.ts'
import type { BlinknetProvider, ProviderRpcError } from './provider.ts'
import { subscribe } from './subscribe.ts'

/**
 * Resolves with the transaction's receipt once it has reached `stage`. Checks again after every partial block and every
 * seal.
 *
 * @throws {Error} If the node has never seen the transaction, or loses, drops or replaces it.
 * @throws {ProviderRpcError} With code 4900 if the node goes away first.
 */
export async function waitForStage(
  provider: BlinknetProvider,
  hash: Hash,
  stage: TransactionStage,
): Promise<RpcReceipt> {
  const changes = new Changes()
  const onDisconnect = (error: ProviderRpcError) => changes.end(error)
  provider.on('disconnect', onDisconnect)
  const subscriptions = await Promise.all([
    subscribe(provider, 'newPartialBlocks', ['diff'], () => changes.signal()),
    subscribe(provider, 'newHeads', [], () => changes.signal()),
  ])
  try {
    for (;;) {
      const timeline = await provider.request({ method: 'devnet_getTransactionTimeline', params: [hash] })
      if (!timeline || hasReached(stage, timeline.events)) {
        const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
        if (receipt && (timeline || isAtStage(receipt, stage))) return receipt
        // A node that opened a stored chain has the old receipts, but not the timelines.
        if (!receipt && !timeline) throw new Error(`the node has never seen the transaction ${hash}`)
      }
      await changes.next()
    }
  } finally {
    provider.removeListener('disconnect', onDisconnect)
    if (!changes.ended) await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()))
  }
}

/** @throws {Error} If the transaction ended without inclusion. */
function hasReached(stage: TransactionStage, events: readonly TimelineEvent[]): boolean {
  const last = events.at(-1)
  if (last?.kind === 'dropped') throw new Error(`the transaction was dropped: ${last.reason}`)
  if (last?.kind === 'replaced') throw new Error(`the transaction was replaced by ${last.by}`)
  if (last?.kind === 'withdrawn' && !last.requeued) throw new Error('the transaction was withdrawn and is lost')
  return last?.kind === 'sealed' || (last?.kind === 'preconfirmed' && stage === 'preconfirmed')
}

/** Tells one waiter about changes since its last check. */
class Changes {
  #changed = false
  #wake: (() => void) | undefined
  ended: Error | undefined

  signal(): void {
    this.#changed = true
    this.#wake?.()
  }

  end(error: Error): void {
    this.ended = error
    this.#wake?.()
  }

  /** @throws {Error} The error given to {@link end}. */
  async next(): Promise<void> {
    if (!this.#changed && !this.ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.ended) throw this.ended
    this.#changed = false
  }
}
