/** A screen that the header leads to. */
export interface NavRoute {
  readonly path: string
  readonly label: string
}

/** The header's links, in their order. */
export const NAV_ROUTES: readonly NavRoute[] = [
  { path: '/', label: 'Live' },
  { path: '/send', label: 'Send' },
  { path: '/rpc-console', label: 'RPC' },
]
