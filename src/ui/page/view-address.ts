import { useLocation } from 'wouter'
import { isLocalHost } from '#client/session/remote-endpoint.ts'
import { beginScreen, useSetup, withQuery } from './navigation.ts'
import { pageBase } from './page-base.ts'
import type { PageView } from './page-options.ts'

/** The address of the live chain in another view, with the page's other options. */
export function viewAddress(view: PageView, search = location.search): string {
  const query = new URLSearchParams(search)
  if (view === 'page') query.delete('view')
  else query.set('view', view)
  return `${location.origin}${pageBase()}${query.size > 0 ? `?${query}` : ''}`
}

/** Whether the page is served on this machine alone, so that no phone can open its address. */
export function isLocalAddress(): boolean {
  return isLocalHost(location.hostname)
}

/** Opens a screen in another view: the stage, or the whole page. The page goes on, and with it its chain and what it did. */
export function useOpenView(): (view: PageView, path?: string) => void {
  const [, navigate] = useLocation()
  const options = new URLSearchParams(useSetup())
  return (view, path = '/') => {
    if (view === 'page') options.delete('view')
    else options.set('view', view)
    navigate(withQuery(path, String(options)))
    beginScreen()
  }
}
