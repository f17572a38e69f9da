import { type ChainAddress, isLocalHost } from '#client/session/remote-endpoint.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'

/** One is kept: of the endpoint that was chosen last. */
const KEY = 'blinknet:endpoint'

/** A person has agreed that this tab connects to the endpoint; a reload does not ask again. */
export function allowEndpoint({ url }: Pick<ChainAddress, 'url'>): void {
  keep(KEY, url, 'visit')
}

/** Whether the page may connect without a question: an address alone is nobody's wish, unless it names this machine. */
export function mayConnect({ url }: Pick<ChainAddress, 'url'>): boolean {
  return isLocalHost(new URL(url).hostname) || readKept(KEY, 'visit') === url
}
