import { Blocks, FileCode, type LucideIcon, SendHorizontal, Settings, Terminal } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'

/** A screen that the header leads to. */
export interface NavRoute {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
}

/** The header's links, in their order. */
export const NAV_ROUTES: readonly NavRoute[] = [
  { path: '/', label: 'Live', icon: Blocks },
  { path: '/send', label: 'Send', icon: SendHorizontal },
  { path: '/contracts', label: 'Contracts', icon: FileCode },
  { path: '/rpc-console', label: 'RPC', icon: Terminal },
  { path: '/settings', label: 'Settings', icon: Settings },
]

/** Id of the element that holds the screen. */
export const MAIN_ID = 'main'

/**
 * A screen begins at its top, with the focus. Once the address has changed: only then has the browser noted where the
 * screen that is left was scrolled to, for the way back.
 */
export function beginScreen(): void {
  queueMicrotask(() => {
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  })
}

/** Goes to a screen as a link would: the set-up in the address stays, and the screen begins with the focus. */
export function useGo(): (path: string) => void {
  const show = useShow()
  return (path) => {
    show(path)
    beginScreen()
  }
}

/** The same for those who have the focus elsewhere. */
export function useShow(): (path: string) => void {
  const [, navigate] = useLocation()
  const search = useSearch()
  return (path) => navigate(search ? `${path}?${search}` : path)
}

/** Names the screen in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Blinknet`
  }, [title])
}
