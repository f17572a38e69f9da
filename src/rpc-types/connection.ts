/** The one who waits for an answer. Work for a caller that has gone is stopped at its next pause. */
export interface Caller {
  readonly gone: boolean
  /** The same for all calls of one client, where it is known. */
  readonly client?: object
}

/** One caller of the node. Bodies are JSON text, so that they cross threads and sockets unchanged. */
export interface RpcConnection {
  /**
   * Answers a request, a batch or garbage; `undefined` where JSON-RPC wants no reply. Never rejects.
   *
   * @param caller - Where several share the connection: the one who waits for this answer.
   */
  handle(body: string, caller?: Caller): Promise<string | undefined>
  /** Ends the connection's subscriptions, and work for it that is under way. */
  close(): void
}

/** The node as transports serve it. */
export interface RpcEndpoint {
  /**
   * @param push - Takes each notification as JSON text; without it the connection cannot subscribe. Where it answers
   * `false` too much waits to be read: the subscription ends, with one last notification that says so.
   */
  connect(push?: (body: string) => unknown): RpcConnection
}
