import type { SpawnedNode } from './spawn-node.ts'

/** The part of `window` that is used here. */
export interface PageLike {
  readonly document: Pick<EventTarget, 'addEventListener'>
  addEventListener(type: 'pagehide' | 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
}

/**
 * Has another tab run the chain while this page stands still: frozen by the browser, or kept aside for the back button.
 */
export function watchPageLife(session: Pick<SpawnedNode, 'suspend' | 'resume'>, page: PageLike = window): void {
  page.document.addEventListener('freeze', () => session.suspend())
  page.document.addEventListener('resume', () => session.resume())
  page.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) session.suspend()
  })
  page.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) session.resume()
  })
}
