import type { NodeOptions } from '#rpc-types/node-options.ts'
import { DEFAULT_CHAIN } from '#transport/chain-name.ts'
import { type SpawnedNode, spawnNode } from './spawn-node.ts'

/**
 * Spawns the node of this page, which steps aside while the page stands still. The default chain is the one that a person
 * comes back to, so a link alone does not set it up; a link to a chain with another name says so by that name.
 */
export function openNode(options: NodeOptions, chain: string | undefined): SpawnedNode {
  const node = spawnNode(options, chain, undefined, chain === DEFAULT_CHAIN)
  watchPageLife(node)
  return node
}

/** The part of `window` that is used here. */
export interface PageLike {
  readonly document: Pick<EventTarget, 'addEventListener'>
  addEventListener(type: 'pagehide' | 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
}

/**
 * Lets another tab run the chain while the browser freezes this page, or keeps it in the back/forward cache.
 *
 * A cached page loses its worker. WebKit freezes the worker together with the page, at once, and a frozen worker with an
 * open IndexedDB transaction blocks every other tab of the chain. Only ending the worker closes its database for sure.
 */
export function watchPageLife(
  session: Pick<SpawnedNode, 'suspend' | 'resume' | 'putAside' | 'comeBack'>,
  page: PageLike = window,
): void {
  page.document.addEventListener('freeze', () => session.suspend())
  page.document.addEventListener('resume', () => session.resume())
  page.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) session.putAside()
  })
  page.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) session.comeBack()
  })
}
