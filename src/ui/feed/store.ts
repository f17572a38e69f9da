import { create } from 'zustand'
import { EMPTY_FEED, type FeedState } from './feed-state.ts'
import { type FeedEvent, reduceFeed } from './reducer.ts'

/** The stream of the chain. Select the smallest value. */
export const useFeed = create<FeedState>()(() => EMPTY_FEED)

/** Applies a batch of events in one commit. */
export function commitFeed(events: readonly FeedEvent[]): void {
  useFeed.setState((state) => reduceFeed(state, events))
}
