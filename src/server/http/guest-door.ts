import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { LatestReading, RpcConnection } from '#rpc-types/connection.ts'
import type { ServerLimits } from './limits.ts'
import type { SharedTexts } from './shared-text.ts'

/** The way into the server for guests, who may do less than its other callers. It knows who they are and what they may do. */
export interface GuestDoor {
  /** Of all guests together, besides those of other callers. `bodyBytes`: of one body or message. */
  readonly limits: ServerLimits & { readonly bodyBytes: number }
  /** Whether the caller is a guest. Asked for every request. */
  isGuest(request: IncomingMessage): boolean
  /** Whether there is room for a TCP connection of which nothing has been read; `false`: it is closed. */
  admit(socket: Socket): boolean
  /** Counts a guest's request over HTTP or for a WebSocket; `false`: it is one too many. */
  takeRequest(socket: Socket): boolean
  /** Who answers a guest's requests over HTTP; the same for all of one TCP connection. */
  callers(socket: Socket): Readonly<Record<LatestReading, RpcConnection>>
  /** Opens the connection of a guest's WebSocket. */
  connect(socket: Socket, push: (body: string | SharedTexts) => void, latest: LatestReading): RpcConnection
}
