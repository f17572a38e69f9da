import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ChainRole } from './chain-role.ts'

/** Version of the messages in this file; both sides must speak the same one. */
export const PROTOCOL = 3

/** A caller's message to the node. Bodies are JSON-RPC text and pass unchanged. */
export type CallMessage =
  /** `id` pairs the answer with the call; it is not the id inside the body, which may be a batch or garbage. */
  | { readonly kind: 'rpc'; readonly id: number; readonly body: string }
  /** How many characters of notifications were read since the last such message. */
  | { readonly kind: 'read'; readonly characters: number }
  /** The caller has gone: its subscriptions end. */
  | { readonly kind: 'close' }

/** Page → node worker. */
export type ToNode =
  /**
   * Sent once, in answer to `ready`. With a `chainName` all tabs share the node; without, it belongs to this worker
   * alone.
   */
  | {
      readonly kind: 'boot'
      readonly protocol: number
      readonly options: NodeOptions
      readonly chainName: string | undefined
      /**
       * The options come from the page's address alone; unless they are the defaults, no new stored chain may begin
       * with them.
       */
      readonly unasked?: boolean
      /** A chain file to show as a film, in memory and read-only; without a `chainName`. */
      readonly film?: Uint8Array
      /** The chain elsewhere that the node continues, in memory; without a `chainName`. */
      readonly fork?: ForkBoot
      /** With `fork`, transferred: the node asks that chain over it, and the page answers; see `ask-port.ts`. */
      readonly port?: PortLike
    }
  /** The page is about to be frozen: another tab should run the chain. Calls wait. */
  | { readonly kind: 'suspend' }
  /** The page continues. */
  | { readonly kind: 'resume' }
  /** A person wants the chain stored: it restarts with this page's options, whichever tab runs it. */
  | { readonly kind: 'keep' }
  /** One more caller, on a transferred port. */
  | { readonly kind: 'attach'; readonly port: PortLike }
  | CallMessage

/** A chain elsewhere that the node continues. */
export interface ForkBoot {
  /** The endpoint's, for messages. */
  readonly name: string
  /** The endpoint's address, by which what it says is kept. */
  readonly url: string
  /** The block after which the node's chain begins; the newest by default. */
  readonly blockNumber: number | undefined
}

/** Page → a worker without a node: about chains that are stored. */
export type ToStore =
  | {
      /** What to do with one that cannot be opened. `salvage`: return whatever is readable. `rescue`: return what is proven. `erase`: delete it. */
      readonly kind: 'salvage' | 'rescue' | 'erase'
      readonly protocol: number
      readonly chainName: string
    }
  /** Return the ids of chains, and leave these to their owners. */
  | { readonly kind: 'identify'; readonly protocol: number; readonly chainNames: readonly string[] }

/** What is proven of a damaged chain. */
export interface RescuedFile {
  /** A chain file. */
  readonly file: Uint8Array
  readonly head: number
  /** The blocks above the head that something names, in order. */
  readonly missing: readonly {
    readonly number: number
    /** `undefined` if nothing says it. */
    readonly hash: string | undefined
    /** Whether it is whole, and only what leads to it is not. */
    readonly isWhole: boolean
  }[]
}

/** The worker that reads a stored chain → page. */
export type FromStore =
  | { readonly kind: 'ready'; readonly protocol: number }
  /** An unchecked chain file. */
  | { readonly kind: 'salvaged'; readonly file: Uint8Array }
  | ({ readonly kind: 'rescued' } & RescuedFile)
  | { readonly kind: 'erased' }
  /** In the order that was asked; `undefined` for one that is not stored or cannot be read. */
  | { readonly kind: 'identified'; readonly chainIds: readonly (number | undefined)[] }
  | { readonly kind: 'failed'; readonly message: string }

/** Node worker → page, or → the caller on an attached port. */
export type FromNode =
  /** The worker is listening. Earlier messages would be lost, so none are sent. */
  | { readonly kind: 'ready'; readonly protocol: number }
  /** The chain is running; calls may follow. */
  | { readonly kind: 'booted' }
  /** Another tab runs the shared chain now. Subscriptions continue; the page has to query what happened meanwhile. */
  | { readonly kind: 'moved'; readonly role: ChainRole }
  /** The node is gone; no call will be answered. */
  | { readonly kind: 'failed'; readonly message: string; readonly failure?: NodeFailure }
  /** The answer to the call `id`; no body for notifications. */
  | { readonly kind: 'rpc'; readonly id: number; readonly body: string | undefined }
  /** A subscription's event. */
  | { readonly kind: 'notification'; readonly body: string }

/** Why there is no node, if a person can do something about it. */
export type NodeFailure =
  /** The browser gives no access to its storage. */
  | 'unavailable'
  /** Another tab has the stored chain open and did not release it in time. */
  | 'busy'
  /** The browser's storage has no room left. */
  | 'quota'
  /** The stored chain is not readable. */
  | 'corrupt'
  /** The chain was written by a newer version. */
  | 'newer'
  /** The chain was started with other options than requested. */
  | 'other-options'
  /** The node did not start for another reason, given in the message. */
  | 'not-started'
  /** The requested options are invalid. */
  | 'invalid-options'

/** The parts used here of `MessagePort`, `Worker` and a worker's global scope, in the browser and in Node.js. */
export interface PortLike {
  postMessage(message: unknown, transfer?: never): void
  /** Setting it starts a `MessagePort`. */
  onmessage: ((event: never) => void) | null
  onmessageerror: ((event: never) => void) | null
}

/** The event passed to a port's `onmessage`. */
export interface PortEvent<Message> {
  readonly data: Message
}

/** Why two builds cannot communicate; `undefined` if they can. */
export function protocolMismatch(theirs: number): string | undefined {
  if (theirs === PROTOCOL) return undefined
  return `the page and the node are of different versions (protocol ${PROTOCOL} here, ${theirs} there): reload the page`
}

/** Whether the posted value is a caller's message with the members of this build's types. */
export function isCallMessage(data: unknown): data is CallMessage {
  const { kind, id, body, characters } = membersOf(data)
  if (kind === 'rpc') return Number.isSafeInteger(id) && typeof body === 'string'
  if (kind === 'read') return typeof characters === 'number' && characters >= 0 && Number.isFinite(characters)
  return kind === 'close'
}

/** The members of any posted value, for inspection. */
export function membersOf(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}

/** The text of any thrown value. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name
  return typeof thrown === 'string' ? thrown : `something other than an error was thrown: ${String(thrown)}`
}
