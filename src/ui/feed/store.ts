import { create, useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { EMPTY_FEED, type FeedState } from './feed-state.ts'
import { forgetPreconfirmed, keepPreconfirmed } from './preconfirmed-receipts.ts'
import { type FeedEvent, reduceFeed } from './reducer.ts'
import { forgetSeen, keepSeen } from './seen-transactions.ts'
import { newBlocks } from './selectors.ts'

/** The chain's feed as it arrives, whatever the screen shows. */
export const liveFeed = createStore<FeedState>()(() => EMPTY_FEED)

/** The chain's feed as the screen shows it: live, or as it was when the view was frozen. */
export const useFeed = create<FeedState>()(() => EMPTY_FEED)

/** When the view was frozen, in milliseconds since the Unix epoch; `undefined` while it follows the chain. */
export const useFrozenView = create<{ readonly sinceMs: number | undefined }>()(() => ({ sinceMs: undefined }))

/** Applies a batch of events in one commit. */
export function commitFeed(events: readonly FeedEvent[]): void {
  for (const event of events) keepPassing(event)
  const state = reduceFeed(liveFeed.getState(), events)
  liveFeed.setState(state)
  // Nothing of a replaced chain may stay on the screen.
  if (events.some(({ kind }) => kind === 'reset')) useFrozenView.setState({ sinceMs: undefined })
  if (useFrozenView.getState().sinceMs === undefined) useFeed.setState(state)
}

/** Freezes the view while the chain continues; does nothing while there is nothing to see. */
export function freezeView(): void {
  if (useFeed.getState().live === undefined) return
  useFrozenView.setState({ sinceMs: Date.now() })
}

/** Lets the view follow the chain again, from its current state. */
export function unfreezeView(): void {
  useFrozenView.setState({ sinceMs: undefined })
  useFeed.setState(liveFeed.getState())
}

/** Number of sealed blocks that the frozen view does not show. */
export function useNewBlocks(): number {
  const shown = useFeed()
  return useStore(liveFeed, (live) => newBlocks(shown, live))
}

/** Keeps what the node forgets. */
function keepPassing(event: FeedEvent): void {
  if (event.kind === 'partial') keepPreconfirmed(event.partial.diff.receipts)
  else if (event.kind === 'pending') keepPreconfirmed(event.receipts)
  else if (event.kind === 'pooled') keepSeen(event.tx)
  else if (event.kind === 'reset') {
    forgetPreconfirmed()
    forgetSeen()
  }
}
