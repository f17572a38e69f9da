import type { Clock } from '#primitives/clock.ts'
import { type OpenChannel, ownChannelName, sharedChainName } from '#transport/channel/channel-messages.ts'
import { type ChannelEndpoint, connectChannel } from '#transport/channel/connect-channel.ts'

/** What a connection to a node needs of the service worker. */
export interface NodesHost {
  readonly clock: Pick<Clock, 'now' | 'schedule'>
  readonly open: OpenChannel
  /** A unique name. */
  readonly newCaller: () => string
  /** Takes the Web Lock of that name for the worker's life; resolves once it is held. */
  readonly holdLock: (name: string) => Promise<void>
}

/**
 * Finds the node of a chain; one endpoint per chain, kept for the worker's life.
 *
 * @param basePath - Path of the page's folder.
 */
export function createNodeFinder(basePath: string, host: NodesHost): (chain: string) => Promise<ChannelEndpoint> {
  const endpoints = new Map<string, Promise<ChannelEndpoint>>()

  async function connect(chain: string): Promise<ChannelEndpoint> {
    const chainName = sharedChainName(basePath, chain)
    const caller = host.newCaller()
    // This must come before the first message: a leader takes a free lock to mean that the caller is gone.
    await host.holdLock(ownChannelName(chainName, caller))
    return connectChannel({ open: host.open, chainName, caller, present: true, clock: host.clock })
  }

  return (chain) => {
    let endpoint = endpoints.get(chain)
    if (!endpoint) {
      endpoint = connect(chain)
      endpoints.set(chain, endpoint)
      // The caller gets the error; the next call tries again.
      endpoint.catch(() => endpoints.delete(chain))
    }
    return endpoint
  }
}
