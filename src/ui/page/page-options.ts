export type Theme = 'system' | 'light' | 'dark'

/** The whole page; the live chain alone, large; the same, small, inside of another page. */
export type PageView = 'page' | 'projector' | 'embed'

/** The page's appearance, as its address says. */
export interface PageOptions {
  readonly view: PageView
  readonly theme: Theme | undefined
  readonly motion: 'system' | 'off'
}

export function isTheme(value: unknown): value is Theme {
  return value === 'system' || value === 'light' || value === 'dark'
}

/** Reads `?view=`, `?theme=` and `?motion=off`; anything else is as if it were not there. */
export function parsePageOptions(search: string): PageOptions {
  const params = new URLSearchParams(search)
  const theme = params.get('theme')
  const view = params.get('view')
  return {
    view: view === 'projector' || view === 'embed' ? view : 'page',
    theme: isTheme(theme) ? theme : undefined,
    motion: params.get('motion') === 'off' ? 'off' : 'system',
  }
}
