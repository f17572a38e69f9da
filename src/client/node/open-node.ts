import type { NodeOptions } from '#rpc-types/node-options.ts'
import { DEFAULT_CHAIN } from '#transport/chain-name.ts'
import { type SpawnedNode, spawnNode } from './spawn-node.ts'
import { takeNodeWorker } from './start-node-worker.ts'

/**
 * Spawns this page's node, and suspends it while the page is frozen. A person returns to the default chain, so a link
 * alone must not set it up; a link to another chain shows that chain's name.
 */
export function openNode(options: NodeOptions, chain: string | undefined): SpawnedNode {
  const node = spawnNode(options, chain, takeNodeWorker, chain === DEFAULT_CHAIN)
  watchPageLife(node)
  return node
}

/** The part of `window` used here. */
export interface PageLike {
  readonly document: Pick<EventTarget, 'addEventListener'>
  addEventListener(type: 'pagehide' | 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void
}

/**
 * Lets another tab run the chain while the browser freezes this page or keeps it in the back/forward cache.
 *
 * A cached page loses its worker. WebKit freezes the worker at once together with the page, and a frozen worker with an
 * open IndexedDB transaction blocks every other tab of the chain. Only ending the worker is sure to close its database.
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
