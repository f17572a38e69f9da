import { Blocks, Compass, FileCode, type LucideIcon, SendHorizontal, Settings, Terminal } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type PageView, parsePageOptions } from './page-options.ts'

/** A screen linked in the header. */
export interface NavRoute {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Other words to find it by. */
  readonly keywords: string
  /** Not for guests of a room, who cannot send from it. */
  readonly sends?: true
}

/** The header's links, in order. */
export const NAV_ROUTES: readonly NavRoute[] = [
  { path: '/', label: 'Live', icon: Blocks, keywords: 'home chain ribbon transactions' },
  {
    path: '/explore',
    label: 'Explore',
    icon: Compass,
    keywords: 'lists blocks transactions accounts contracts events search filter',
  },
  {
    path: '/send',
    label: 'Send',
    icon: SendHorizontal,
    keywords: 'compose sign transaction raw blob nonce errors',
    sends: true,
  },
  {
    path: '/contracts',
    label: 'Contracts',
    icon: FileCode,
    keywords: 'deploy compile solidity abi events logs call read write',
    sends: true,
  },
  { path: '/rpc-console', label: 'RPC', icon: Terminal, keywords: 'json console methods calls log' },
  { path: '/settings', label: 'Settings', icon: Settings, keywords: 'options preferences' },
]

/** Id of the element that holds the screen. */
export const MAIN_ID = 'main'

/**
 * Scrolls a new screen to its top and focuses it. Call this after the address has changed: only then has the browser
 * saved the old screen's scroll position for the way back.
 */
export function beginScreen(): void {
  queueMicrotask(() => {
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  })
}

/** Opens a screen as a link would: the set-up in the address stays, and the screen gets the focus. */
export function useGo(): (path: string) => void {
  const show = useShow()
  return (path) => {
    show(path)
    beginScreen()
  }
}

/** Opens a screen without moving the focus. */
export function useShow(): (path: string) => void {
  const [, navigate] = useLocation()
  const withSetup = useWithSetup()
  return (path) => navigate(withSetup(path))
}

/** Which view the address asks for. */
export function useView(): PageView {
  return parsePageOptions(useSearch()).view
}

/** The debugger's step in the address; no other screen keeps it. */
export const STEP_PARAMETER = 'step'

/** The place in a list in the address, and how the names of its filters begin; no other screen keeps them. */
export const PLACE_PARAMETER = 'at'
export const FILTER_PREFIX = 'f.'

/** Whether `name=value` of an address is a screen's own, however a link has written its name. */
export function isOfScreen(part: string): boolean {
  const [name = ''] = new URLSearchParams(part).keys()
  return name === STEP_PARAMETER || name === PLACE_PARAMETER || name.startsWith(FILTER_PREFIX)
}

/** Adds the set-up in the address to a screen's address. */
export function useWithSetup(): (path: string) => string {
  const setup = useSetup()
  return (path) => withQuery(path, setup)
}

/** The set-up in the address, which every screen keeps (`clock=manual`). */
export function useSetup(): string {
  return setupIn(useSearch())
}

/** @param path - May have a parameter of its own. */
export function withQuery(path: string, query: string): string {
  return query ? path + (path.includes('?') ? '&' : '?') + query : path
}

/** The last search and the set-up in it: every link on the screen asks for the same. */
let last = { search: '', setup: '' }

function setupIn(search: string): string {
  if (search !== last.search) {
    const setup = search
      .split('&')
      .filter((part) => !isOfScreen(part))
      .join('&')
    last = { search, setup }
  }
  return last.setup
}

/** Names the screen in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Blinknet`
  }, [title])
}
