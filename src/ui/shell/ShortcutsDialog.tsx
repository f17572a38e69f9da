import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ShortcutList } from '#ui/components/ShortcutList.tsx'

/** A dialog with the keyboard shortcuts, on any screen. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onDismiss={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <ShortcutList />
    </Dialog>
  )
}
