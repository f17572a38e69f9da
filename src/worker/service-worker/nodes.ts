import type { Clock } from '#primitives/clock.ts'
import { type OpenChannel, ownChannelName, sharedChainName } from '#transport/channel/channel-messages.ts'
import { type ChannelEndpoint, connectChannel } from '#transport/channel/connect-channel.ts'

/** The part of the service worker that a connection to a node needs. */
export interface NodesHost {
  readonly clock: Pick<Clock, 'now' | 'schedule'>
  readonly open: OpenChannel
  /** A name that nobody else has. */
  readonly newCaller: () => string
  /** Takes the Web Lock of that name for the worker's life; resolves once it is taken. */
  readonly holdLock: (name: string) => Promise<void>
}

/**
 * Finds the node of a chain: one endpoint for each that is asked for, as long as the worker lives.
 *
 * @param basePath - Path of the page's folder.
 */
export function createNodeFinder(basePath: string, host: NodesHost): (chain: string) => Promise<ChannelEndpoint> {
  const endpoints = new Map<string, Promise<ChannelEndpoint>>()

  async function connect(chain: string): Promise<ChannelEndpoint> {
    const chainName = sharedChainName(basePath, chain)
    const caller = host.newCaller()
    // Before the leader hears of the caller: it takes a lock that is free for a caller that has gone.
    await host.holdLock(ownChannelName(chainName, caller))
    return connectChannel({ open: host.open, chainName, caller, present: true, clock: host.clock })
  }

  return (chain) => {
    let endpoint = endpoints.get(chain)
    if (!endpoint) {
      endpoint = connect(chain)
      endpoints.set(chain, endpoint)
      // Whoever asked is told; the next one may have better luck.
      endpoint.catch(() => endpoints.delete(chain))
    }
    return endpoint
  }
}
