import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { subscribe } from '#client/session/subscribe.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type FeedSink, fetchPresent } from './connect-feed.ts'
import { fetchContents, fetchWaiting } from './fetch-contents.ts'
import type { FeedEvent } from './reducer.ts'

/**
 * Shows in the store what a film shows: each moment as a whole, since nothing that comes later is known at it.
 *
 * @param onShown - Called after each moment.
 * @returns Stops following.
 * @throws {ProviderRpcError} If the subscription is refused or the node is gone.
 */
export async function connectFilmFeed(
  provider: BlinknetProvider,
  sink: FeedSink,
  onShown: () => void,
): Promise<() => void> {
  let stopped = false
  let reading = false
  /** Whether the film has moved since the reading began. */
  let moved = false

  async function show(): Promise<void> {
    moved = true
    if (reading) return
    reading = true
    try {
      while (await showOnce()) {
        // The film has moved meanwhile.
      }
    } finally {
      reading = false
    }
  }

  /** @returns Whether the film has moved meanwhile. */
  async function showOnce(): Promise<boolean> {
    moved = false
    const events = await readMoment(provider)
    if (stopped) return false
    if (events) {
      sink.commit([{ kind: 'reset' }, ...events])
      onShown()
    }
    return moved
  }

  const subscription = await subscribe(provider, 'newPartialBlocks', ['diff'], () => {
    show().catch(ignoreDisconnect)
  })
  await show()
  return () => {
    stopped = true
    subscription.unsubscribe().catch(ignoreDisconnect)
  }
}

/** All of a moment; `undefined` if the film moved meanwhile. */
async function readMoment(provider: BlinknetProvider): Promise<readonly FeedEvent[] | undefined> {
  const present = await fetchPresent(provider)
  const blocks = present.flatMap((event) => (event.kind === 'history' ? event.blocks : []))
  const pending = present.find((event) => event.kind === 'pending')
  if (pending && pending.block.parentHash !== blocks[0]?.hash) return undefined
  const [contents, waiting] = await Promise.all([fetchContents(provider, blocks), fetchWaiting(provider)])
  return [...present, ...contents, ...waiting]
}

/** The connection state shows when the node is gone; its subscriptions ended with it. */
function ignoreDisconnect(error: unknown): void {
  if (!(error instanceof ProviderRpcError) || error.code !== ERROR_CODES.disconnected) throw error
}
