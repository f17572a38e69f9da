import { create, useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { EMPTY_FEED, type FeedState } from './feed-state.ts'
import { forgetPreconfirmed, keepPreconfirmed } from './preconfirmed-receipts.ts'
import { type FeedEvent, reduceFeed } from './reducer.ts'
import { newBlocks } from './selectors.ts'

/** The stream of the chain as it comes, whatever the screen shows of it. */
export const liveFeed = createStore<FeedState>()(() => EMPTY_FEED)

/** The stream of the chain as the screen shows it: as it comes, or as it was when the view was frozen. */
export const useFeed = create<FeedState>()(() => EMPTY_FEED)

/** Since when the view stands still, in milliseconds since the Unix epoch; `undefined` while it follows the chain. */
export const useFrozenView = create<{ readonly sinceMs: number | undefined }>()(() => ({ sinceMs: undefined }))

/** Applies a batch of events in one commit. */
export function commitFeed(events: readonly FeedEvent[]): void {
  for (const event of events) keepReceipts(event)
  const state = reduceFeed(liveFeed.getState(), events)
  liveFeed.setState(state)
  // Of a chain that is no more nothing can be left standing.
  if (events.some(({ kind }) => kind === 'reset')) useFrozenView.setState({ sinceMs: undefined })
  if (useFrozenView.getState().sinceMs === undefined) useFeed.setState(state)
}

/** Has the screen stand still while the chain goes on; nothing happens while there is nothing to see yet. */
export function freezeView(): void {
  if (useFeed.getState().live === undefined) return
  useFrozenView.setState({ sinceMs: Date.now() })
}

/** Has the screen follow the chain again, from where the chain is now. */
export function unfreezeView(): void {
  useFrozenView.setState({ sinceMs: undefined })
  useFeed.setState(liveFeed.getState())
}

/** Blocks that were sealed and that the frozen view does not show. */
export function useNewBlocks(): number {
  const shown = useFeed()
  return useStore(liveFeed, (live) => newBlocks(shown, live))
}

function keepReceipts(event: FeedEvent): void {
  if (event.kind === 'partial') keepPreconfirmed(event.partial.diff.receipts)
  else if (event.kind === 'pending') keepPreconfirmed(event.receipts)
  else if (event.kind === 'reset') forgetPreconfirmed()
}
