import { create } from 'zustand'

/** The dialogs that can be opened from any screen; one at a time. */
export type ShellDialog = 'palette' | 'shortcuts' | 'storage' | 'endpoint' | 'fork' | 'share' | 'connect'

/** The dialog that is open, and the file that it was opened with. */
export const useShellDialog = create<{ readonly open: ShellDialog | undefined; readonly file: File | undefined }>()(
  () => ({ open: undefined, file: undefined }),
)

/** Text typed after a dialog was opened and before it was on the screen. */
let typed = ''

export function openDialog(dialog: ShellDialog): void {
  typed = ''
  useShellDialog.setState({ open: dialog, file: undefined })
}

/** Opens the dialog about the chain's storage for a file that was dropped on the page. */
export function openStorage(file: File): void {
  useShellDialog.setState({ open: 'storage', file })
}

export function closeDialog(): void {
  useShellDialog.setState({ open: undefined, file: undefined })
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
