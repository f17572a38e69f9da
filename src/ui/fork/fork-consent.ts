import type { ForkedChain } from '#client/session/remote-endpoint.ts'
import { entryAddress, entryOf, ownLocation, type PageLocation } from '#ui/connect/endpoint-address.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'
import { chainPrefix } from '#ui/page/page-base.ts'

/** What a person has agreed to in this tab: that the page tries an endpoint, or forks its chain. */
export type Consent = 'try' | 'start'

/** One is kept: of the chain that was chosen last. */
const KEY = 'blinknet:fork'

/** A fork as an address has it in `?fork=`. */
export function addressOfFork({ endpoint: { url }, blockNumber }: ForkedChain): string {
  return blockNumber === undefined ? url : `${url}@${blockNumber}`
}

/** A person has agreed; a reload of the tab does not ask again. */
export function allow(chain: ForkedChain, consent: Consent): void {
  keep(KEY, `${consent} ${addressOfFork(chain)}`, 'visit')
}

/** What a person has agreed to for this chain and block; an address alone is nobody's wish. */
export function allowed(chain: ForkedChain): Consent | undefined {
  const kept = readKept(KEY, 'visit')
  return (['try', 'start'] as const).find((consent) => kept === `${consent} ${addressOfFork(chain)}`)
}

/**
 * The address of the same screen, of a fork.
 *
 * @param base - Path under which the app is served.
 * @param time - Where its time begins; by default as the address says.
 */
export function pageOfFork(page: PageLocation, base: string, chain: ForkedChain, time?: 'block' | 'now'): string {
  const query = new URLSearchParams(page.search)
  query.delete('rpc')
  query.set('fork', addressOfFork(chain))
  if (time === 'now') query.set('forkTime', time)
  else if (time === 'block') query.delete('forkTime')
  return entryAddress({ pathname: page.pathname, search: `?${query}`, hash: page.hash }, base, 'remote')
}

/**
 * A person wants to see what can be forked there: loads the page that may ask.
 *
 * @param screen - Where to go, such as `/settings`; by default the screen stays.
 * @param time - Where its time begins.
 */
export function goFork(chain: ForkedChain, screen?: string, time: 'block' | 'now' = 'block'): void {
  allow(chain, 'try')
  const base = import.meta.env.BASE_URL
  const { search } = location
  const there =
    screen === undefined
      ? ownLocation(location, chainPrefix())
      : { pathname: `${base}${screen.slice(1)}`, search, hash: '' }
  const address = pageOfFork(there, base, chain, time)
  // Only the hash would differ: the browser would not load the page again.
  const isHere = new URL(address, location.href).search === location.search && entryOf(document) === 'remote'
  if (!isHere) return location.assign(address)
  history.replaceState(history.state, '', address)
  location.reload()
}
