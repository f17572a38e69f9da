import { useEffect } from 'react'

/** Names the screen in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Blinknet`
  }, [title])
}
