const POINTED = 'data-pointed'

/**
 * Highlights the part of the screen with that accessible name, and scrolls it into view.
 *
 * @returns Removes the highlight.
 */
export function pointAt(name: string): () => void {
  const region = [...document.querySelectorAll('main section')].find((section) => nameOf(section) === name)
  region?.setAttribute(POINTED, '')
  region?.scrollIntoView({ block: 'nearest' })
  return () => region?.removeAttribute(POINTED)
}

function nameOf(section: Element): string | undefined {
  const by = section.getAttribute('aria-labelledby')
  const named = by === null ? undefined : document.getElementById(by)?.textContent
  return section.getAttribute('aria-label') ?? named ?? undefined
}
