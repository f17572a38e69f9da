/** One caller of the node. Bodies are JSON text, so that they cross threads and sockets unchanged. */
export interface RpcConnection {
  /** Answers a request, a batch or garbage; `undefined` where JSON-RPC wants no reply. Never rejects. */
  handle(body: string): Promise<string | undefined>
  /** Ends the connection's subscriptions. */
  close(): void
}

/** What a transport serves. */
export interface RpcEndpoint {
  /**
   * @param push - Takes each notification as JSON text; without it the connection cannot subscribe. Where it answers
   * `false` too much waits to be read: the subscription ends, with one last notification that says so.
   */
  connect(push?: (body: string) => unknown): RpcConnection
}
