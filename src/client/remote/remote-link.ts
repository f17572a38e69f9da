import { parsedJson } from '#primitives/json-object.ts'
import type { DisconnectedError } from '#transport/port/connect-port.ts'

/** A connection to a remote endpoint. */
export interface RemoteLink {
  /**
   * Sends a JSON-RPC request, not a batch. Resolves with the answer's text.
   *
   * @throws {DisconnectedError} If there is no answer.
   */
  request(body: string): Promise<string | undefined>
  /** Ends the connection and every pending call. */
  close(): void
}

/** Events of a link. */
export interface RemoteLinkListener {
  /** A subscription's event, as JSON text. */
  onNotification(body: string): void
  /** The connection was lost. Not called after `close`. */
  onLost(error: DisconnectedError): void
}

/** How long an endpoint may take to answer, in milliseconds. */
export const ANSWER_MS = 30_000

/** The `id` of a JSON-RPC answer; `undefined` for a notification, and for text that is not JSON-RPC. */
export function answerId(body: string): number | undefined {
  const message = parse(body)
  if (message === undefined || !('result' in message || 'error' in message)) return undefined
  return typeof message.id === 'number' ? message.id : undefined
}

/** Whether the text is a subscription's event. */
export function isNotification(body: string): boolean {
  const message = parse(body)
  return message !== undefined && message.method === 'eth_subscription' && message.params !== undefined
}

interface Envelope {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

function parse(body: string): Envelope | undefined {
  const value = parsedJson(body)
  return typeof value === 'object' && value !== null ? value : undefined
}
