import type { NodeOptions } from '#rpc-types/node-options.ts'

/** Version of the messages in this file; both sides must speak the same one. */
export const PROTOCOL = 1

/** What every caller's port carries towards the node. Bodies are JSON-RPC text and pass unchanged. */
export type CallMessage =
  /** `id` pairs the answer with the call; it is not the id inside the body, which may be a batch or garbage. */
  | { readonly kind: 'rpc'; readonly id: number; readonly body: string }
  /** So many characters of notifications were read since the last time this was said. */
  | { readonly kind: 'read'; readonly characters: number }
  /** The caller has gone: its subscriptions end. */
  | { readonly kind: 'close' }

/** Page → node worker. */
export type ToNode =
  /** Sent once, in answer to `ready`. */
  | { readonly kind: 'boot'; readonly protocol: number; readonly options: NodeOptions }
  /** One more caller, on a transferred port. */
  | { readonly kind: 'attach'; readonly port: PortLike }
  | CallMessage

/** Node worker → page, or → the caller on an attached port. */
export type FromNode =
  /** The worker listens. What was posted to it before is lost, so nothing is. */
  | { readonly kind: 'ready'; readonly protocol: number }
  /** The chain runs; calls may come. */
  | { readonly kind: 'booted' }
  /** The node is gone; no call will be answered any more. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The answer to the call `id`; no body where JSON-RPC wants no reply. */
  | { readonly kind: 'rpc'; readonly id: number; readonly body: string | undefined }
  /** A subscription's event. */
  | { readonly kind: 'notification'; readonly body: string }

/** The part of `MessagePort`, `Worker` and a worker's global scope that is used here, in the browser and in Node.js. */
export interface PortLike {
  postMessage(message: unknown, transfer?: never): void
  /** Setting it starts a `MessagePort`. */
  onmessage: ((event: never) => void) | null
  onmessageerror: ((event: never) => void) | null
}

/** What a port hands to its `onmessage`. */
export interface PortEvent<Message> {
  readonly data: Message
}

/** Why two builds cannot talk; `undefined` if they can. */
export function protocolMismatch(theirs: number): string | undefined {
  if (theirs === PROTOCOL) return undefined
  return `the page and the node are of different versions (protocol ${PROTOCOL} here, ${theirs} there): reload the page`
}

/** The text of whatever was thrown. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name
  return typeof thrown === 'string' ? thrown : `something that is no error was thrown: ${String(thrown)}`
}
