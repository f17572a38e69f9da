import type { FeedEvent } from './reducer.ts'

/** A notice of the pool waits this long for the partial block that it may share a commit with. */
const POOL_BATCH_MS = 40
/** When the pool takes in many, all but the first wait longer, so that there is about one commit for a partial block. */
const BUSY_POOL_BATCH_MS = 250
const EAGER_NOTICES = 20
/** Partial blocks that come closer together than this are shown together: nobody could see them one by one. */
const COMMIT_GAP_MS = 32
/** Between two commits that nobody sees. */
const HIDDEN_GAP_MS = 1_000

/** Whether the page can be seen. */
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
 * Gathers events into commits that come no more often than somebody could see them. A page that comes back into sight
 * gets all that it missed in one.
 *
 * @param commit - Never called with an empty list, nor after `stop`.
 */
export function batchEvents(commit: (events: readonly FeedEvent[]) => void, sight: Sight = ALWAYS_SEEN): EventBatcher {
  let batch: FeedEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAtMs = Number.POSITIVE_INFINITY
  /** The last partial block. */
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
    // Answers that were under way when it was stopped.
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
