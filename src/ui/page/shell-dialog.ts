import { create } from 'zustand'

/** The dialogs that can be opened from any screen; one at a time. */
export type ShellDialog = 'palette' | 'shortcuts' | 'storage' | 'endpoint' | 'share'

/** The dialog that is open. */
export const useShellDialog = create<{ readonly open: ShellDialog | undefined }>()(() => ({ open: undefined }))

/** Text typed after a dialog was opened and before it was on the screen. */
let typed = ''

export function openDialog(dialog: ShellDialog): void {
  typed = ''
  useShellDialog.setState({ open: dialog })
}

export function closeDialog(): void {
  useShellDialog.setState({ open: undefined })
}

/** Whether keys belong to a dialog, even one that is still loading. */
export function isDialogOpen(): boolean {
  return useShellDialog.getState().open !== undefined
}

/** Stores a typed character, or deletes the last one, for a dialog that is still loading. */
export function typeAhead(key: string): void {
  if (key === 'Backspace') typed = typed.slice(0, -1)
  else typed += key
}

export function typedAhead(): string {
  return typed
}
