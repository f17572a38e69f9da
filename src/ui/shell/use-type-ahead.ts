import { useEffect } from 'react'
import { typeAhead } from '#ui/page/shell-dialog.ts'

/** Keeps typed text until the dialog, whose code is loaded when it is first opened, is there. */
export function useTypeAhead(isOpen: boolean): void {
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
