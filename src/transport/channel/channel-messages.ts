import type { LatestReading } from '#rpc-types/connection.ts'
import type { ChainDurability } from '#transport/port/chain-role.ts'
import type { CallMessage, FromNode, PortLike } from '#transport/port/messages.ts'

/** Milliseconds between the leader's announcements. */
export const HEARTBEAT_MS = 1_000

/** Milliseconds without an announcement after which the leader counts as silent: frozen or stuck. */
export const SILENCE_MS = 2_500

/**
 * Silence of a leader that opens the chain, which may keep it from sending. If its lock were stolen then, the next leader
 * would fail the same way.
 */
export const STARTING_MS = 10_000

/** How long a leader that gives up waits until each caller has its answers, in milliseconds: one may be frozen. */
export const FAREWELL_MS = 1_000

/** Name of a chain that all tabs of an origin share; its lock and its shared channel have this name. */
export function sharedChainName(basePath: string, chain: string): string {
  return `blinknet:${basePath}:${chain}`
}

/** The channel of one participant: for messages to a caller, or for calls to a leader. */
export function ownChannelName(chainName: string, participant: string): string {
  return `${chainName}/${participant}`
}

/** One term of a leader. It ends with its worker, or when that gives up the lock. */
export interface Leadership {
  /** Unique; names the channel on which it takes calls. */
  readonly leader: string
  /** Higher than that of every earlier leadership. */
  readonly epoch: number
}

/** Announces that a leader answers calls, and on which channel. */
export interface LeadingMessage extends Leadership {
  readonly kind: 'leading'
  readonly protocol: number
  /** Version of the build, for people. */
  readonly version: string
  readonly storage: ChainDurability
}

/** A message of the shared channel, `<chain name>`. It carries no JSON-RPC. */
export type ControlMessage =
  /** Asks the leader to announce itself. */
  | { readonly kind: 'who' }
  /** The lock is held, but the node is not running yet. */
  | ({ readonly kind: 'starting' } & Leadership)
  /** Announces the leader: when it starts to answer, when asked, and as its heartbeat. */
  | LeadingMessage
  /** The leader has given up. */
  | { readonly kind: 'left'; readonly leader: string }

/** Caller → leader, on `<chain name>/<leader>`. */
export type ToLeader =
  /**
   * The caller starts with this leader; its earlier connections here are over. `present` says that it holds the Web
   * Lock `<chain name>/<caller>` for as long as it lives.
   */
  | { readonly kind: 'hello'; readonly caller: string; readonly present: boolean }
  /** The caller has received everything before the leader's `over`. */
  | { readonly kind: 'bye'; readonly caller: string }
  /** A message of one of the caller's connections. The first message opens the connection. */
  | {
      readonly kind: 'call'
      readonly caller: string
      readonly connection: number
      /** Whether the connection takes notifications. */
      readonly pushed: boolean
      /** What `latest` means on this connection, if not the default. */
      readonly latest?: LatestReading
      readonly message: CallMessage
    }

/** Leader → caller, on `<chain name>/<caller>`. */
export type ToCaller =
  /** Answers `hello`: calls may follow. */
  | { readonly kind: 'welcome'; readonly leader: string }
  /**
   * The leader has answered all calls and is about to give up. Another channel's `left` may overtake the answers, and so
   * may the lock: only messages of one channel keep their order.
   */
  | { readonly kind: 'over'; readonly leader: string }
  | {
      readonly kind: 'answer'
      readonly leader: string
      readonly connection: number
      readonly message: FromNode
    }

/** The part of `BroadcastChannel` that is used here. */
export interface BroadcastChannelLike extends PortLike {
  close(): void
}

/** Opens the channel of that name. */
export type OpenChannel = (name: string) => BroadcastChannelLike

/** Whether `a` is a later leadership than `b`; of two that began at the same time the name decides. */
export function isLater(a: Leadership, b: Leadership): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.leader > b.leader)
}
