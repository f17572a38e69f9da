import type { FeedEvent } from './reducer.ts'

/** How long a pool event waits for a partial block to share a commit with, in milliseconds. */
const POOL_BATCH_MS = 40
/** How long it waits once the pool is busy, for about one commit per partial block. */
const BUSY_POOL_BATCH_MS = 250
/** How many pool events between two partial blocks make the pool busy. */
const EAGER_NOTICES = 20
/** Partial blocks closer together than this are shown together, since nobody could see them separately. */
const COMMIT_GAP_MS = 32
/** Milliseconds between two commits of a hidden page. */
const HIDDEN_GAP_MS = 1_000

/** Whether the page is visible. */
export interface Sight {
  isHidden(): boolean
  /** @returns Stops listening. */
  onShown(listener: () => void): () => void
}

export interface EventBatcher {
  readonly enqueue: (event: FeedEvent) => void
  readonly stop: () => void
}

const ALWAYS_SEEN: Sight = { isHidden: () => false, onShown: () => () => {} }

/**
 * Batches events into commits, no more often than a person can see. A page that becomes visible gets everything it
 * missed in one commit.
 *
 * @param commit - Never called with an empty list, nor after `stop`.
 */
export function batchEvents(commit: (events: readonly FeedEvent[]) => void, sight: Sight = ALWAYS_SEEN): EventBatcher {
  let batch: FeedEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAtMs = Number.POSITIVE_INFINITY
  /** Time of the last commit with a partial block. */
  let committedAtMs = Number.NEGATIVE_INFINITY
  let notices = 0
  let stopped = false
  const stopWatching = sight.onShown(flush)

  function flush(): void {
    disarm()
    if (batch.length === 0) return
    const events = batch
    batch = []
    if (events.some(({ kind }) => kind === 'partial')) {
      committedAtMs = Date.now()
      notices = 0
    }
    commit(events)
  }

  function enqueue(event: FeedEvent): void {
    // Answers that were still on their way at the stop.
    if (stopped) return
    batch.push(event)
    if (event.kind === 'pooled') notices++
    const now = Date.now()
    const wantedAtMs = now + delayMs(event, now - committedAtMs)
    if (wantedAtMs <= now) return flush()
    if (wantedAtMs >= dueAtMs) return
    disarm()
    dueAtMs = wantedAtMs
    timer = setTimeout(flush, wantedAtMs - now)
  }

  function delayMs({ kind }: FeedEvent, sinceCommitMs: number): number {
    if (sight.isHidden()) return HIDDEN_GAP_MS - sinceCommitMs
    if (kind === 'pending') return 0
    if (kind === 'partial') return COMMIT_GAP_MS - sinceCommitMs
    return notices > EAGER_NOTICES ? BUSY_POOL_BATCH_MS : POOL_BATCH_MS
  }

  function disarm(): void {
    clearTimeout(timer)
    timer = undefined
    dueAtMs = Number.POSITIVE_INFINITY
  }

  return {
    enqueue,
    stop(): void {
      stopped = true
      stopWatching()
      disarm()
    },
  }
}
