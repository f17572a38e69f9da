import { create } from 'zustand'
import { keep, readKept } from './kept-text.ts'
import { isTheme, type PageOptions, type PageView, parsePageOptions, type Theme } from './page-options.ts'

type Motion = PageOptions['motion']

const THEME_KEY = 'blinknet.theme'
const MOTION_KEY = 'blinknet.motion'

/** The person's choice. */
export const useAppearance = create<{ readonly theme: Theme; readonly motion: Motion }>()(() => ({
  theme: 'system',
  motion: 'system',
}))

/** Applies the appearance in the address, otherwise the last choice. Call this before the first render. */
export function startAppearance(search: string): void {
  const { theme, motion, view } = parsePageOptions(search)
  showView(view)
  const stored = readKept(THEME_KEY)
  applyTheme(theme ?? (isTheme(stored) ? stored : 'system'))
  applyMotion(motion === 'off' || readKept(MOTION_KEY) === 'off' ? 'off' : 'system')
}

/** Tells the styles which view it is. The screen of a room's guest has styles of its own. */
export function showView(view: PageView): void {
  const { dataset } = document.documentElement
  if (dataset['view'] !== 'guest') dataset['view'] = view
}

/** Applies a theme and stores the choice. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  keep(THEME_KEY, theme)
}

/** Turns motion off, or leaves it to the system; stores the choice. */
export function chooseMotion(motion: Motion): void {
  applyMotion(motion)
  keep(MOTION_KEY, motion)
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  useAppearance.setState({ theme })
}

function applyMotion(motion: Motion): void {
  if (motion === 'system') delete document.documentElement.dataset['motion']
  else document.documentElement.dataset['motion'] = 'off'
  useAppearance.setState({ motion })
}
