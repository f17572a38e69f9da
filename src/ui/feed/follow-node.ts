import { ProviderRpcError } from '#client/provider.ts'
import type { NodeSession } from '#client/spawn-node.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { forgetOwn } from '#ui/own/own-transactions.ts'
import { connectFeed } from './connect-feed.ts'
import { commitFeed, useFeed } from './store.ts'

/**
 * Keeps the feed on the node that runs, over restarts.
 *
 * @param onNewChain - Called before the feed of another node begins: what was cached of the old chain is void.
 */
export function followNode({ provider, state }: NodeSession, onNewChain: () => void): void {
  let stop: Promise<() => void> | undefined
  function update(): void {
    const { status } = state.get()
    if (status === 'ready' && !stop) {
      stop = connectFeed(provider, { read: useFeed.getState, commit: commitFeed })
      stop.catch(reportUnlessGone)
    }
    if (status === 'ready' || !stop) return
    stop.then((end) => end()).catch(reportUnlessGone)
    stop = undefined
    commitFeed([{ kind: 'reset' }])
    forgetOwn()
    onNewChain()
  }
  state.subscribe(update)
  update()
}

/** The connection state tells of a node that is gone; anything else is a bug and has to surface. */
function reportUnlessGone(error: unknown): void {
  if (!(error instanceof ProviderRpcError) || error.code !== ERROR_CODES.disconnected) throw error
}
