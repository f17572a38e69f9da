import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ChainRole } from './chain-role.ts'

/** Version of the messages in this file; both sides must speak the same one. */
export const PROTOCOL = 3

/** A caller's message to the node. Bodies are JSON-RPC text and pass unchanged. */
export type CallMessage =
  /** `id` pairs the answer with the call; it is not the id inside the body, which may be a batch or garbage. */
  | { readonly kind: 'rpc'; readonly id: number; readonly body: string }
  /** So many characters of notifications were read since the last time this was said. */
  | { readonly kind: 'read'; readonly characters: number }
  /** The caller has gone: its subscriptions end. */
  | { readonly kind: 'close' }

/** Page → node worker. */
export type ToNode =
  /** Sent once, in answer to `ready`. With a `chainName` the node is that of all tabs, else this worker's alone. */
  | {
      readonly kind: 'boot'
      readonly protocol: number
      readonly options: NodeOptions
      readonly chainName: string | undefined
      /** The options come from the page's address alone: where they are not the defaults, no stored chain begins with them. */
      readonly unasked?: boolean
    }
  /** The page will stand still: another tab shall run the chain. Calls wait. */
  | { readonly kind: 'suspend' }
  /** The page continues. */
  | { readonly kind: 'resume' }
  /** A person wants the chain stored: it starts over with this page's options, whichever tab runs it. */
  | { readonly kind: 'keep' }
  /** One more caller, on a transferred port. */
  | { readonly kind: 'attach'; readonly port: PortLike }
  | CallMessage

/** Page → a worker that is to run no node: what becomes of a stored chain that cannot be opened. */
export type ToStore = {
  /** `salvage`: hand out what there is of it. `erase`: delete it. */
  readonly kind: 'salvage' | 'erase'
  readonly protocol: number
  readonly chainName: string
}

/** That worker → page. */
export type FromStore =
  | { readonly kind: 'ready'; readonly protocol: number }
  /** A chain file; nothing in it was checked. */
  | { readonly kind: 'salvaged'; readonly file: Uint8Array }
  | { readonly kind: 'erased' }
  | { readonly kind: 'failed'; readonly message: string }

/** Node worker → page, or → the caller on an attached port. */
export type FromNode =
  /** The worker listens. What was posted to it before is lost, so nothing is. */
  | { readonly kind: 'ready'; readonly protocol: number }
  /** The chain runs; calls may come. */
  | { readonly kind: 'booted' }
  /** Another tab runs the shared chain now. Subscriptions go on; what happened meanwhile has to be asked for. */
  | { readonly kind: 'moved'; readonly role: ChainRole }
  /** The node is gone; no call will be answered any more. */
  | { readonly kind: 'failed'; readonly message: string; readonly failure?: NodeFailure }
  /** The answer to the call `id`; no body where JSON-RPC wants no reply. */
  | { readonly kind: 'rpc'; readonly id: number; readonly body: string | undefined }
  /** A subscription's event. */
  | { readonly kind: 'notification'; readonly body: string }

/** Why there is no node, where a person can do something about it. */
export type NodeFailure =
  /** The browser gives no access to its storage. */
  | 'unavailable'
  /** Another tab has the stored chain open, and did not let it go in time. */
  | 'busy'
  /** It has no room left. */
  | 'quota'
  /** The stored chain makes no sense. */
  | 'corrupt'
  /** It was written by a newer version. */
  | 'newer'
  /** It was started with other options than were asked for. */
  | 'other-options'
  /** It did not start for another reason, which the message names. */
  | 'not-started'
  /** No chain can run with the options that were asked for. */
  | 'invalid-options'

/** The part of `MessagePort`, `Worker` and a worker's global scope that is used here, in the browser and in Node.js. */
export interface PortLike {
  postMessage(message: unknown, transfer?: never): void
  /** Setting it starts a `MessagePort`. */
  onmessage: ((event: never) => void) | null
  onmessageerror: ((event: never) => void) | null
}

/** The event that a port hands to its `onmessage`. */
export interface PortEvent<Message> {
  readonly data: Message
}

/** Why two builds cannot talk; `undefined` if they can. */
export function protocolMismatch(theirs: number): string | undefined {
  if (theirs === PROTOCOL) return undefined
  return `the page and the node are of different versions (protocol ${PROTOCOL} here, ${theirs} there): reload the page`
}

/** Whether that is a message of a caller, whatever was posted: its members are what this build's types say. */
export function isCallMessage(data: unknown): data is CallMessage {
  const { kind, id, body, characters } = membersOf(data)
  if (kind === 'rpc') return Number.isSafeInteger(id) && typeof body === 'string'
  if (kind === 'read') return typeof characters === 'number' && characters >= 0 && Number.isFinite(characters)
  return kind === 'close'
}

/** The members of whatever was posted, for a look at them. */
export function membersOf(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}

/** The text of whatever was thrown. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name
  return typeof thrown === 'string' ? thrown : `something that is no error was thrown: ${String(thrown)}`
}
