import { useLayoutEffect } from 'react'

/**
 * While a screen calls it, the screen fills the window as an editor does: its parts scroll, the page does not. In a small
 * window nothing changes.
 */
export function useWholeWindow(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['fills'] = ''
    return () => {
      delete dataset['fills']
    }
  }, [])
}
