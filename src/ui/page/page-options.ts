export type Theme = 'system' | 'light' | 'dark'

/** The whole page; the live chain for a stage; the speaker's notes for it; the live chain, small, inside another page. */
export type PageView = 'page' | 'projector' | 'notes' | 'embed'

/** The page's appearance from its address. */
export interface PageOptions {
  readonly view: PageView
  readonly theme: Theme | undefined
  readonly motion: 'system' | 'off'
}

export function isTheme(value: unknown): value is Theme {
  return value === 'system' || value === 'light' || value === 'dark'
}

/** Parses `?view=`, `?theme=` and `?motion=off`; ignores anything else. */
export function parsePageOptions(search: string): PageOptions {
  const params = new URLSearchParams(search)
  const theme = params.get('theme')
  const view = params.get('view')
  return {
    view: view === 'projector' || view === 'notes' || view === 'embed' ? view : 'page',
    theme: isTheme(theme) ? theme : undefined,
    motion: params.get('motion') === 'off' ? 'off' : 'system',
  }
}
