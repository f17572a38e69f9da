import { useEffect, useEffectEvent } from 'react'

/** Where a key belongs to the element that has the focus. */
const OWNS_KEYS = 'input, select, textarea, [contenteditable="true"], dialog'
/** Where Space and Enter press the element itself. */
const PRESSABLE = 'button, a[href], summary, label'

/** Runs `action` when a single key is pressed, unless the focused element has its own use for it. */
export function useShortcut(key: string, action: () => void): void {
  const run = useEffectEvent(action)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== key || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target instanceof Element ? event.target : document.body
      if (target.closest(OWNS_KEYS) || (key === ' ' && target.closest(PRESSABLE))) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key])
}
