/** The most rows that may change at once and still be followed by eye. */
const FOLLOWED = 5
/** Milliseconds between two larger changes. */
const READING_MS = 500

/** A list as shown, in the form for React's `useSyncExternalStore`. */
export interface ReadableList<Item> {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => readonly Item[]
}

/**
 * Shows a list at a readable pace: changes of a few rows at once, larger changes at most twice a second. Rows are
 * compared by identity.
 *
 * @param read - Returns the current list; called whenever `subscribe` reports a change.
 */
export function atReadingPace<Item>(
  read: () => readonly Item[],
  subscribe: (listener: () => void) => () => void,
): ReadableList<Item> {
  let shown = read()
  let shownAtMs = Number.NEGATIVE_INFINITY

  return {
    get: () => shown,
    subscribe(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined
      function show(): void {
        clearTimeout(timer)
        timer = undefined
        const now = read()
        if (changes(shown, now) === 0) return
        shown = now
        shownAtMs = Date.now()
        listener()
      }
      function onChange(): void {
        const waitMs = shownAtMs + READING_MS - Date.now()
        if (waitMs <= 0 || changes(shown, read()) <= FOLLOWED) show()
        else timer ??= setTimeout(show, waitMs)
      }
      const unsubscribe = subscribe(onChange)
      // The list may have changed before anybody subscribed.
      show()
      return () => {
        unsubscribe()
        clearTimeout(timer)
      }
    },
  }
}

/** Number of changed rows, including removed ones. */
function changes<Item>(before: readonly Item[], after: readonly Item[]): number {
  const known = new Set(before)
  const fresh = after.filter((item) => !known.has(item)).length
  return Math.max(fresh, before.length - after.length)
}
