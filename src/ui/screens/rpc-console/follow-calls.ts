import type { CallLog, LoggedCall } from '#client/call-log.ts'

/** Changes of the log are shown together, this late at the latest: a screen that shows each would cost more than it says. */
const BATCH_MS = 150

/**
 * Hands the log's entries on, now and after changes, at most once in a while.
 *
 * @returns Stops that.
 */
export function followCalls(log: CallLog, show: (calls: readonly LoggedCall[]) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = log.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      show(log.entries())
    }, BATCH_MS)
  })
  show(log.entries())
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
