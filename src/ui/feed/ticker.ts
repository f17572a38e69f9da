import { useSyncExternalStore } from 'react'
import { useFrozenView } from './store.ts'

const INTERVAL_MS = 50

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function tick(): void {
  now = Date.now()
  for (const notify of listeners) notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    timer = setInterval(tick, INTERVAL_MS)
    now = Date.now()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const ignore = () => () => undefined

/**
 * The current time in milliseconds since the Unix epoch. All countdowns share one ticker, which stops while the view is
 * frozen.
 *
 * @param running - If false, the component is not re-rendered, and the value is meaningless.
 */
export function useNow(running: boolean): number {
  const frozenAtMs = useFrozenView((view) => view.sinceMs)
  const get = () => now
  const present = useSyncExternalStore(running && frozenAtMs === undefined ? subscribe : ignore, get, get)
  return frozenAtMs ?? present
}
