import { freezeView, unfreezeView, useFrozenView } from '#ui/feed/store.ts'
import { announce } from '#ui/page/announce.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { useClockControls, useClockState } from '#ui/queries/status.ts'

/** Freezes the view while the chain continues, unlike a pause of the chain. */
export function toggleFreeze(): void {
  const isFrozen = useFrozenView.getState().sinceMs !== undefined
  if (isFrozen) unfreezeView()
  else freezeView()
  announce(isFrozen ? 'The view follows the chain again' : 'View frozen')
}

/**
 * `.` cuts a partial block; `p` pauses and resumes a chain with an automatic clock; `f` freezes the view. Space scrolls, as on
 * every page.
 *
 * @param enabled - Whether this chain has a clock to control.
 */
export function useClockShortcuts(enabled = true): void {
  const clock = useClockState()
  const { step, togglePause } = useClockControls()
  useShortcut('.', () => {
    if (enabled && clock) step()
  })
  useShortcut('p', () => {
    if (enabled && (clock === 'running' || clock === 'paused')) togglePause()
  })
  useShortcut('f', () => {
    if (enabled) toggleFreeze()
  })
}
