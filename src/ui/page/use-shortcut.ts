import { useEffect, useEffectEvent } from 'react'
import { isDialogOpen } from './shell-dialog.ts'

/** Elements in which keys belong to the element itself. */
const OWNS_KEYS = 'input, select, textarea, [contenteditable="true"], dialog'
/** Elements that Space and Enter press. */
const PRESSABLE = 'button, a[href], summary, label'

/**
 * Runs `action` when a single key is pressed, unless the focused element has its own use for it.
 *
 * @param held - Whether it runs again and again while the key is held.
 */
export function useShortcut(key: string, action: () => void, held: 'once' | 'repeats' = 'once'): void {
  useKeyDown((event) => {
    // A dialog whose code is still to come has no element yet.
    if (isDialogOpen() || (event.repeat && held === 'once')) return
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return
    // From inside of a shadow root, too: to the document its host is the target.
    const [origin] = event.composedPath()
    const target = origin instanceof Element ? origin : document.body
    if (target.closest(OWNS_KEYS) || (key === ' ' && target.closest(PRESSABLE))) return
    // The browser closes what is open over the page first.
    if (key === 'Escape' && document.querySelector(':popover-open')) return
    event.preventDefault()
    action()
  })
}

/** Runs `action` when a key is pressed with Ctrl, or with ⌘ on a Mac, wherever the focus is but in a dialog. */
export function useChord(key: string, action: () => void): void {
  useKeyDown((event) => {
    const held = isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
    if (event.repeat || !held || event.altKey || event.shiftKey || event.key.toLowerCase() !== key) return
    // Else the browser would do what it has the keys for.
    event.preventDefault()
    if (!document.querySelector('dialog:modal')) action()
  })
}

function useKeyDown(handle: (event: KeyboardEvent) => void): void {
  const run = useEffectEvent(handle)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!event.defaultPrevented) run(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether ⌘ is what other keyboards have Ctrl for. */
export function isMac(): boolean {
  return /^(Mac|iPhone|iPad)/.test(navigator.platform)
}
