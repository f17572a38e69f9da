import type { ConnectOptions, LatestReading, Push, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import type { ServedChains } from '#rpc-types/served-chains.ts'

/** Who answers requests over HTTP, by their reading of `latest`. */
export type Callers = Readonly<Record<LatestReading, RpcConnection>>

/** A chain as callers reach it. */
export interface ChainAtPath {
  /** Who answers requests without a connection of their own, by their reading of `latest`. */
  readonly callers: Callers
  /**
   * Opens the connection of a WebSocket.
   *
   * @param cutOff - Ends the WebSocket; called if the chain ends before it.
   */
  connect(push: Push, options: ConnectOptions, cutOff: () => void): RpcConnection
}

/** The chains of a server, by the paths of its addresses. Targets are those of requests: `/base?latest=preconfirmed`. */
export interface ChainPaths {
  /** The chain at a path. Where there is none, each call is answered so. */
  at(target: string): ChainAtPath
  /** The path of the chain that a page at this address shows: `/base`; nothing for the one at the bare address; `undefined` if there is no other. */
  prefixOf(target: string): string | undefined
  list(): ServedChains
  /** Whether callers may end what is at a path, and make it by calling it. */
  mayEnd(target: string): boolean
  /** Ends the chain at such a path. @returns Whether it was there. */
  end(target: string): Promise<boolean>
  /** Closes the connections that requests share. */
  close(): void
}

/** A chain that is there as long as its server. */
export function reachable(endpoint: RpcEndpoint): ChainAtPath & { close(): void } {
  const callerOf = (latest: LatestReading) => endpoint.connect(undefined, { latest })
  const callers = { sealed: callerOf('sealed'), preconfirmed: callerOf('preconfirmed') }
  return {
    callers,
    connect: (push, options) => endpoint.connect(push, options),
    close() {
      callers.sealed.close()
      callers.preconfirmed.close()
    },
  }
}

/** The path of a request's target, which may be a whole address (RFC 9112, 3.2.2). */
export function pathOf(target: string): string {
  const own = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
  const end = own.search(/[?#]/)
  return end < 0 ? own : own.slice(0, end)
}

/** The parts of a target's path, at most `most`, as they are written: `/pool/a%20b/x?y` is `['pool', 'a%20b', 'x']`. */
export function pathParts(target: string, most: number): readonly string[] {
  return pathOf(target)
    .split('/', most + 1)
    .filter((part, i) => i > 0 && part !== '')
}
