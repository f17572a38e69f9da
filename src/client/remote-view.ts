import type { Observable } from './connection-state.ts'
import type { Capabilities } from './remote-capabilities.ts'
import type { RemoteEndpoint } from './remote-endpoint.ts'
import type { RemoteProblem } from './remote-problem.ts'

/** How it stands with a remote endpoint. */
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

/** What a remote session has beyond a built-in one. */
export interface RemoteView {
  readonly endpoint: RemoteEndpoint
  readonly status: Observable<RemoteStatus>
  /** Ends an attachment that turns out to be of no use: the endpoint refuses what the page cannot do without. */
  readonly giveUp: (message: string) => void
}
