import { useEffect, useEffectEvent } from 'react'
import { isDialogOpen } from './shell-dialog.ts'
import { isSingleKey, useSingleKeys } from './single-keys.ts'

/** Elements that use keys themselves. */
const OWNS_KEYS = 'input:not([type=radio]), select, textarea, [contenteditable="true"], dialog'
/** Elements that only Space and the arrows choose from. */
const CHOICE = 'input[type=radio]'
const CHOOSES = /^( |Arrow.*)$/
/** Elements activated by Space and Enter. */
const PRESSABLE = 'button, a[href], summary, label'

/**
 * Runs `action` when a single key is pressed, unless the focused element uses that key itself, or the person has turned
 * off keys that print a character.
 *
 * @param held - Whether it runs repeatedly while the key is held.
 */
export function useShortcut(key: string, action: () => void, held: 'once' | 'repeats' = 'once'): void {
  useKeyDown((event) => {
    // A dialog that is still loading has no element yet.
    if (isDialogOpen() || (event.repeat && held === 'once')) return
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return
    if (isSingleKey(key) && !useSingleKeys.getState().on) return
    // The real target, even inside a shadow root; the document only sees its host.
    const [origin] = event.composedPath()
    const target = origin instanceof Element ? origin : document.body
    if (target.closest(OWNS_KEYS) || (key === ' ' && target.closest(PRESSABLE))) return
    if (CHOOSES.test(key) && target.matches(CHOICE)) return
    // The browser first closes an open popover.
    if (key === 'Escape' && document.querySelector(':popover-open')) return
    event.preventDefault()
    action()
  })
}

/** Runs `action` when a key is pressed with Ctrl, or ⌘ on a Mac, wherever the focus is except in a dialog. */
export function useChord(key: string, action: () => void): void {
  useKeyDown((event) => {
    const held = isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
    if (event.repeat || !held || event.altKey || event.shiftKey || event.key.toLowerCase() !== key) return
    // Keeps the browser from running its own shortcut.
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

/** Whether ⌘ takes the place of Ctrl. */
export function isMac(): boolean {
  return /^(Mac|iPhone|iPad)/.test(navigator.platform)
}
