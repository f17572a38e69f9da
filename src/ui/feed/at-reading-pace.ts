/** Rows of a list that may change at once: more of them nobody can follow. */
const FOLLOWED = 5
/** Between two changes that are larger. */
const READING_MS = 500

/** A list as a person is shown it, in the form that React's `useSyncExternalStore` asks for. */
export interface ReadableList<Item> {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => readonly Item[]
}

/**
 * A list at a pace at which it can be read: what changes few of its rows is shown at once, what changes many of them
 * twice a second at most. Rows are compared by identity.
 *
 * @param read - The list as it is now; asked whenever `subscribe` says that there may be something new.
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
      // Something may have happened before anybody listened.
      show()
      return () => {
        unsubscribe()
        clearTimeout(timer)
      }
    },
  }
}

/** Number of rows that changed, including those that are gone without a successor. */
function changes<Item>(before: readonly Item[], after: readonly Item[]): number {
  const known = new Set(before)
  const fresh = after.filter((item) => !known.has(item)).length
  return Math.max(fresh, before.length - after.length)
}
