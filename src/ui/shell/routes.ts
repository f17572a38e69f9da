/** A screen that the navigation names. */
export interface NavItem {
  readonly to: string
  readonly label: string
  /** Whether it is the one at an address. */
  readonly isAt: (location: string) => boolean
}

/** The screens of the navigation, in their order. */
export const NAV: readonly NavItem[] = [
  { to: '/', label: 'Live', isAt: (location) => location === '/' },
  { to: '/send', label: 'Send', isAt: (location) => /^\/send(\/|$)/.test(location) },
]
