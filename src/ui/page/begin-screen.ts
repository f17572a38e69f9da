import { MAIN_ID } from './main-id.ts'

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
