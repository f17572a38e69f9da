import { create } from 'zustand'
import { isTheme, parsePageOptions, type Theme } from './page-options.ts'

const STORAGE_KEY = 'blinknet.theme'

/** The theme that the person chose. */
export const useAppearance = create<{ readonly theme: Theme }>()(() => ({ theme: 'system' }))

/** Applies what the address says, else what was chosen last time. Call before the first render. */
export function startAppearance(search: string): void {
  const { theme, motion } = parsePageOptions(search)
  if (motion === 'off') document.documentElement.dataset['motion'] = 'off'
  apply(theme ?? storedTheme() ?? 'system')
}

/** Applies a theme and keeps it for the next visit. */
export function chooseTheme(theme: Theme): void {
  apply(theme)
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage is off in this browser: the choice lasts as long as the page.
  }
}

function storedTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return isTheme(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  useAppearance.setState({ theme })
}
