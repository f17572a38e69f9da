import { create } from 'zustand'

/** The dialogs that can be opened from any screen; one at a time. */
export type ShellDialog = 'palette' | 'shortcuts' | 'storage' | 'endpoint' | 'share'

/** The dialog that is open. */
export const useShellDialog = create<{ readonly open: ShellDialog | undefined }>()(() => ({ open: undefined }))

/** Keys typed after a dialog was opened and before it was on the screen. */
let typed = ''

export function openDialog(dialog: ShellDialog): void {
  typed = ''
  useShellDialog.setState({ open: dialog })
}

export function closeDialog(): void {
  useShellDialog.setState({ open: undefined })
}

/** Whether the keys are for a dialog, be it that it is still to come. */
export function isDialogOpen(): boolean {
  return useShellDialog.getState().open !== undefined
}

/** Keeps a character, or takes the last one back, for a dialog which is still to come. */
export function typeAhead(key: string): void {
  if (key === 'Backspace') typed = typed.slice(0, -1)
  else typed += key
}

export function typedAhead(): string {
  return typed
}
