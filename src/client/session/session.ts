import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { Capabilities } from './capabilities.ts'
import type { ConnectionState, Observable } from './connection-state.ts'
import type { BlinknetProvider } from './provider.ts'
import type { RemoteEndpoint } from './remote-endpoint.ts'
import type { RemoteProblem } from './remote-problem.ts'

/** The chain that a page shows: its node, in a worker of this page or at a remote endpoint, and its restarts. */
export interface NodeSession {
  /** Stays the same over restarts. Calls made while the node starts wait for it. */
  readonly provider: BlinknetProvider
  readonly state: Observable<ConnectionState>
  /** Only where the chain is not of this origin. */
  readonly remote?: RemoteView
  /** Name of the chain, where it is one that tabs share and the browser stores; `undefined` for one of this page alone. */
  readonly chain?: string | undefined
  /** What this page asked its node for. A stored chain, or one that another tab runs, has its own: `devnet_status` tells them. */
  readonly options: () => NodeOptions
  /** Ends the node, if one still runs, and starts a fresh one; by default with the same options. */
  restart(options?: NodeOptions): void
  /**
   * Starts the chain over and stores it, with the options of this page, because a person wants that. Only where the chain
   * was in memory because an address alone asked for it. Another tab that runs it hands it over.
   */
  keepAsked?(): void
  /** Ends the node for good: pending and later calls end with code 4900. */
  close(): void
}

/** State of a remote endpoint. */
export type RemoteStatus =
  /** `attempt` is 0 at first, and counts up after a loss. */
  | { readonly status: 'connecting'; readonly attempt: number }
  | {
      readonly status: 'attached'
      readonly capabilities: Capabilities
      readonly chainId: number
      /** As the endpoint calls itself; empty if it does not say. */
      readonly clientVersion: string
    }
  | { readonly status: 'failed'; readonly problem: RemoteProblem }

/** The part of a session that only a remote chain has. */
export interface RemoteView {
  readonly endpoint: RemoteEndpoint
  /** Whether the page came from the endpoint: then there is no chain of its own to go back to. */
  readonly served: boolean
  readonly status: Observable<RemoteStatus>
  /** Ends an attachment that turns out to be of no use: the endpoint refuses what the page cannot do without. */
  readonly giveUp: (message: string) => void
}
