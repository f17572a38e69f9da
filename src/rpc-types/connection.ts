/** Whoever waits for an answer. Work for a caller that has gone stops at its next pause. */
export interface Caller {
  readonly gone: boolean
  /** Whether it is a web page of another site than the node's host and this machine's. */
  readonly foreign?: boolean
  /** One object for all calls of one client, where it is known. */
  readonly client?: object
}

/**
 * The readings of `latest` in reads of state and of ranges of logs: the newest sealed block, as geth has it, or the live
 * block, whose number then names it everywhere. Blocks, receipts and the head's number at `latest` are those of the newest
 * sealed block in both: a client that polls for the next number would otherwise read a block before it is complete.
 */
export const LATEST_READINGS = ['sealed', 'preconfirmed'] as const
export type LatestReading = (typeof LATEST_READINGS)[number]

export const isLatestReading = (value: unknown): value is LatestReading =>
  LATEST_READINGS.some((reading) => reading === value)

/** What `newHeads` sends: sealed blocks, or each partial block, as providers of Flashblocks do. */
export const NEW_HEADS = ['sealed', 'partial'] as const
export type NewHeads = (typeof NEW_HEADS)[number]

/** One reader's wishes for its connection. */
export interface ConnectOptions {
  /** Default `sealed`, or what the node's host has chosen. */
  readonly latest?: LatestReading
  /** Default `sealed`. */
  readonly newHeads?: NewHeads | undefined
  /** As in {@link Caller}, for all calls of the connection that name no caller. */
  readonly foreign?: boolean
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

/** What a notification with a result is made of. */
export interface NotificationParts {
  /** The subscription's id. */
  readonly subscription: string
  /** JSON: one string for all subscriptions that want the same, so that who serves many encodes it once. */
  readonly result: string
}

/**
 * Takes a notification: JSON text.
 *
 * @param parts - Its parts, if it has a result. The text is only put together where it is used.
 * @returns `false` if too much waits to be read: the subscription should end then.
 */
export type Push = (body: string, parts?: NotificationParts) => unknown

/** The node as transports serve it. */
export interface RpcEndpoint {
  /**
   * @param push - Without it the connection cannot subscribe. Where it answers `false` the subscription ends, with one
   * last notification that says so.
   */
  connect(push?: Push, options?: ConnectOptions): RpcConnection
}
