import { lazy, useEffect } from 'react'
import { LazyDialog } from '#ui/components/dialog/LazyDialog.tsx'
import { closeDialog, openDialog, type ShellDialog, typeAhead, useShellDialog } from '#ui/page/shell-dialog.ts'
import { useChord, useShortcut } from '#ui/page/use-shortcut.ts'

const PaletteDialog = lazy(async () => ({ default: (await import('#ui/palette/PaletteDialog.tsx')).PaletteDialog }))
const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))
const StorageDialog = lazy(async () => ({ default: (await import('#ui/storage/StorageDialog.tsx')).StorageDialog }))
const ElsewhereDialog = lazy(async () => ({ default: (await import('#ui/fork/ElsewhereDialog.tsx')).ElsewhereDialog }))
const DappDialog = lazy(async () => ({ default: (await import('#ui/connect/DappDialog.tsx')).DappDialog }))
const ShareDialog = lazy(async () => ({ default: (await import('#ui/share/ShareDialog.tsx')).ShareDialog }))

/** The dialogs of the whole page, and the keys that open them. */
export function ShellDialogs() {
  const { open, file } = useShellDialog()
  useChord('k', () => openDialog('palette'))
  useShortcut('/', () => openDialog('palette'))
  useShortcut('?', () => openDialog('shortcuts'))
  useTypeAhead(open === 'palette')
  if (!open) return null
  return (
    <LazyDialog key={open} onClose={closeDialog}>
      {contentOf(open, file)}
    </LazyDialog>
  )
}

function contentOf(dialog: ShellDialog, file: File | undefined) {
  switch (dialog) {
    case 'palette':
      return <PaletteDialog onClose={closeDialog} />
    case 'shortcuts':
      return <ShortcutsDialog onClose={closeDialog} />
    case 'storage':
      return <StorageDialog {...(file && { file })} onClose={closeDialog} />
    case 'share':
      return <ShareDialog onClose={closeDialog} />
    case 'connect':
      return <DappDialog onClose={closeDialog} />
    case 'endpoint':
    case 'fork':
      return <ElsewhereDialog which={dialog} onClose={closeDialog} />
  }
}

/** Keeps typed text until the dialog, whose code is loaded when it is first opened, is there. */
function useTypeAhead(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    function onKeyDown(event: KeyboardEvent): void {
      const isText = event.key.length === 1 || event.key === 'Backspace'
      if (!isText || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog:modal')) return
      event.preventDefault()
      typeAhead(event.key)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOpen])
}
