import type { Socket } from 'node:net'
import type { LatestReading, NotificationParts, RpcConnection } from '#rpc-types/connection.ts'
import type { Callers, ChainPaths } from './chain-paths.ts'
import type { SharedTexts } from './frames.ts'
import type { ServerLimits } from './limits.ts'

/** A way into a node, or several: who may come in, how much each may take, and who answers. */
export interface Door {
  /** Limits of all who come in by it. `bodyBytes`: of one body or message. */
  readonly limits: ServerLimits & { readonly bodyBytes: number }
  /**
   * Whether there is room for a TCP connection of which nothing has been read; `false`: it is closed.
   *
   * @param leaving - How many of the connections that it has admitted are about to close.
   */
  admit(socket: Socket, leaving: number): boolean
  /** Counts a request over HTTP or for a WebSocket; `false`: it is one too many. */
  takeRequest(socket: Socket): boolean
  /** The chains behind it, if it leads to several. */
  readonly chains?: ChainPaths
  /**
   * Who answers requests over HTTP; the same for all of one TCP connection that have the same path.
   *
   * @param target - Path and query of the request.
   */
  callers(socket: Socket, target: string): Callers
  /** Opens the connection of a WebSocket. @param foreign - As in `Caller`. */
  connect(
    socket: Socket,
    push: (body: string | SharedTexts, parts?: NotificationParts) => void,
    latest: LatestReading,
    foreign: boolean,
    target: string,
  ): RpcConnection
}
