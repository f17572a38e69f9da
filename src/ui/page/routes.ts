import { Blocks, FileCode, type LucideIcon, SendHorizontal, Settings, Terminal } from 'lucide-react'

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
