import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { Capabilities } from './capabilities.ts'
import type { ConnectionState, Observable } from './connection-state.ts'
import type { BlinknetProvider } from './provider.ts'
import type { ChainAddress, ForkedChain } from './remote-endpoint.ts'
import type { RemoteProblem } from './remote-problem.ts'

/** The chain that a page shows: its node, in this page's worker or at a remote endpoint, and its restarts. */
export interface NodeSession {
  /** Stays the same across restarts. Calls made while the node starts wait for it. */
  readonly provider: BlinknetProvider
  readonly state: Observable<ConnectionState>
  /** Only for a remote chain. */
  readonly remote?: RemoteView
  /** Only for a film, which is read-only. */
  readonly film?: FilmView
  /** Only for a fork. */
  readonly fork?: ForkView
  /**
   * Shows a chain file as a film instead of this chain, which runs on meanwhile. Only where the page has a chain of its
   * own.
   *
   * @param name - The file's name.
   * @throws {Error} If the file cannot be opened; then nothing has changed.
   */
  readonly watch?: (file: Uint8Array, name: string) => Promise<void>
  /** Name of a chain that tabs share and the browser stores; `undefined` for one of this page alone. */
  readonly chain?: string | undefined
  /**
   * The options this page requested. A stored chain, or one run by another tab, may have others; `devnet_status` has
   * them.
   */
  readonly options: () => NodeOptions
  /** Ends the node, if it is running, and starts a fresh one; by default with the same options. */
  restart(options?: NodeOptions): void
  /**
   * Restarts the chain with this page's options and stores it, on a person's request. Only for a chain that was in
   * memory because an address alone set its options. Another tab that runs it hands it over.
   */
  keepAsked?(): void
  /** Ends the node for good: pending and later calls end with code 4900. */
  close(): void
}

/** The part of a session that only films have. */
export interface FilmView {
  /** Name of the file. */
  readonly name: string
  /** Shows the page's own chain again, if it has one. */
  readonly leave?: () => void
}

/** The part of a session that only forks have. */
export interface ForkView extends ForkedChain {
  /** Whether a person has agreed that the endpoint is asked. Until then the node waits. */
  readonly agreed: Observable<boolean>
  readonly agree: () => void
  /** Says which chain and block are continued, and whether that is proven. */
  readonly name: (status: DevnetStatus) => string | undefined
  /** Number of the chain's own first block: those before are the other chain's, which may be large and many. */
  readonly first: () => Promise<number>
}

/** State of a remote endpoint. */
export type RemoteStatus =
  /** Nothing is sent to the endpoint before a person has agreed. */
  | { readonly status: 'asking' }
  /** `attempt` is 0 at first, and counts retries after a loss. */
  | { readonly status: 'connecting'; readonly attempt: number }
  | {
      readonly status: 'attached'
      readonly capabilities: Capabilities
      readonly chainId: number
      /** The endpoint's name for itself; empty if it gives none. */
      readonly clientVersion: string
    }
  | { readonly status: 'failed'; readonly problem: RemoteProblem }

/** The part of a session that only remote chains have. */
export interface RemoteView {
  readonly endpoint: ChainAddress
  /** Whether the page came from the endpoint: then there is no chain of its own to go back to. */
  readonly served: boolean
  readonly status: Observable<RemoteStatus>
  /** A person has agreed that the page connects to the endpoint. */
  readonly agree: () => void
  /** Ends an attachment that is of no use, because the endpoint refuses a call that the page needs. */
  readonly giveUp: (message: string) => void
  /**
   * For a guest of a room: whether the page follows the chain. At first it does not, since the guest's own screen needs
   * far less: the session then stays `starting` although it is attached.
   */
  readonly lookAround: (looks: boolean) => void
}
