import { useShortcut } from '#ui/page/use-shortcut.ts'
import { useClockControls, useClockState } from '#ui/queries/status.ts'

/** `.` cuts a partial block, Space pauses and resumes a chain that has a clock of its own. */
export function useClockShortcuts(): void {
  const clock = useClockState()
  const { step, togglePause } = useClockControls()
  useShortcut('.', () => {
    if (clock) step()
  })
  useShortcut(' ', () => {
    if (clock === 'running' || clock === 'paused') togglePause()
  })
}
