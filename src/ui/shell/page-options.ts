export type Theme = 'system' | 'light' | 'dark'

/** How the page looks, as its address says. */
export interface PageOptions {
  readonly theme: Theme | undefined
  readonly motion: 'system' | 'off'
}

export function isTheme(value: unknown): value is Theme {
  return value === 'system' || value === 'light' || value === 'dark'
}

/** Reads `?theme=` and `?motion=off`; anything else is as if it were not there. */
export function parsePageOptions(search: string): PageOptions {
  const params = new URLSearchParams(search)
  const theme = params.get('theme')
  return { theme: isTheme(theme) ? theme : undefined, motion: params.get('motion') === 'off' ? 'off' : 'system' }
}
