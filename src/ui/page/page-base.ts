/**
 * On a page from a server of several chains, the path of the one that it shows: `/base`, or nothing at the bare address.
 *
 * @returns `undefined` on any other page.
 */
export function chainPrefix(page: Document = document): string | undefined {
  return page.documentElement.dataset['chain']
}

/** The folder below which the page's screens of this chain are: `/`, `/blinknet/` or `/base/`. */
export function pageBase(): string {
  return `${import.meta.env.BASE_URL.replace(/\/$/, '')}${chainPrefix() ?? ''}/`
}
