import type { ChainAddress } from '#client/session/remote-endpoint.ts'
import { chainPrefix } from '#ui/page/page-base.ts'
import { allowEndpoint } from './endpoint-consent.ts'

/** The parameter of the page's address that names a remote endpoint. `fork` names that of a chain to continue. */
const PARAMETER = 'rpc'
/** The page's other entry: the same page with a policy that lets it connect to any host. */
const REMOTE_PAGE = 'remote.html'

/** The parts of `location` that identify the screen and the entry. */
export type PageLocation = Pick<Location, 'pathname' | 'search' | 'hash'>

/** The document: the page with its own chain, the entry that may connect to any host, or the page of a Blinknet server. */
export type PageEntry = 'own' | 'remote' | 'served'

/** Which of them this document is. */
export function entryOf(page: Document): PageEntry {
  const mark = page.documentElement.dataset['page']
  return mark === 'remote' || mark === 'served' ? mark : 'own'
}

/**
 * The chain of the server that a page came from.
 *
 * @param prefix - Its path, if the server has several.
 */
export function servingEndpoint({ protocol, host }: Pick<Location, 'protocol' | 'host'>, prefix = ''): ChainAddress {
  const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${prefix === '' ? '/' : prefix}`
  return { url, transport: 'webSocket', host: `${host}${prefix}` }
}

/** Where the page is, without the path of the chain that it shows. */
export function ownLocation({ pathname, search, hash }: PageLocation, prefix = ''): PageLocation {
  const isBelow = prefix !== '' && (pathname === prefix || pathname.startsWith(`${prefix}/`))
  return { pathname: isBelow ? pathname.slice(prefix.length) || '/' : pathname, search, hash }
}

/**
 * The address of the same screen and set-up on one of the two entries.
 *
 * @param base - Path under which the app is served: `/` or `/blinknet/`.
 * @param url - Replaces the endpoint in the set-up; `null` removes it, or the chain that is forked.
 */
export function entryAddress(
  { pathname, search, hash }: PageLocation,
  base: string,
  entry: 'own' | 'remote',
  url?: string | null,
): string {
  const query = new URLSearchParams(search)
  if (url === null) {
    query.delete(PARAMETER)
    query.delete('fork')
  } else if (url !== undefined) query.set(PARAMETER, url)
  const text = query.toString()
  const setUp = text === '' ? '' : `?${text}`
  // Two leading slashes would make it an address on another host.
  const route = routeOf(pathname, hash, base).replace(/^[/\\]+/, '/')
  return entry === 'remote' ? `${base}${REMOTE_PAGE}${setUp}#${route}` : `${base}${route.slice(1)}${setUp}`
}

/** The screen: the path on the page's own entry; on the other, which is a single file, the hash. */
function routeOf(pathname: string, hash: string, base: string): string {
  const path = pathname.startsWith(base) ? pathname.slice(base.length - 1) : '/'
  if (path !== `/${REMOTE_PAGE}`) return path
  return hash.startsWith('#/') ? hash.slice(1) : '/'
}

/** Attaches the page to a remote endpoint by a reload, as a person wants. @param url - As in `RemoteEndpoint`. */
export function goRemote(url: string): void {
  allowEndpoint({ url })
  location.assign(entryAddress(ownLocation(location, chainPrefix()), import.meta.env.BASE_URL, 'remote', url))
}

/** Returns to the page's own chain by a reload. */
export function leaveRemote(): void {
  location.assign(entryAddress(ownLocation(location, chainPrefix()), import.meta.env.BASE_URL, 'own', null))
}
