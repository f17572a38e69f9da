import type { LatestReading } from '#rpc-types/connection.ts'
import type { ChainDurability } from '#transport/port/chain-role.ts'
import type { CallMessage, FromNode, PortLike } from '#transport/port/messages.ts'

/** The leader's announcement comes this often. */
export const HEARTBEAT_MS = 1_000

/** So long without an announcement, and the leader is thought to be mute: frozen, or stuck. */
export const SILENCE_MS = 2_500

/** The same while it opens the chain, which may keep it from speaking: were it robbed of the lock, so would be the next. */
export const STARTING_MS = 10_000

/** A chain that all tabs of an origin share by its name: what its lock and its common channel are called. */
export function sharedChainName(basePath: string, chain: string): string {
  return `blinknet:${basePath}:${chain}`
}

/** The channel of one participant: a caller's, for what is sent to it, or a leadership's, for what callers ask. */
export function ownChannelName(chainName: string, participant: string): string {
  return `${chainName}/${participant}`
}

/** One term of office: ends with its worker, or when that gives up the lock. */
export interface Leadership {
  /** Never used twice; names the channel on which it takes calls. */
  readonly leader: string
  /** Higher than that of every leadership before. */
  readonly epoch: number
}

/** Announces that a leader answers calls, and on which channel. */
export interface LeadingMessage extends Leadership {
  readonly kind: 'leading'
  readonly protocol: number
  /** The build's, for people. */
  readonly version: string
  readonly storage: ChainDurability
}

/** On the channel that all share, `<chain name>`. It carries no JSON-RPC. */
export type ControlMessage =
  /** The leader is asked to announce itself. */
  | { readonly kind: 'who' }
  /** The lock is held, the node is not there yet. */
  | ({ readonly kind: 'starting' } & Leadership)
  /** Announces the leader: when it starts to answer, when it is asked, and as its heartbeat. */
  | LeadingMessage
  /** The leader has given up. */
  | { readonly kind: 'left'; readonly leader: string }

/** Caller → leader, on `<chain name>/<leader>`. */
export type ToLeader =
  /**
   * The caller begins with this leader; whatever it had here before is over. `present` says that it holds the Web Lock
   * `<chain name>/<caller>` for as long as it lives.
   */
  | { readonly kind: 'hello'; readonly caller: string; readonly present: boolean }
  /** A message of one of the caller's connections, which begins with its first. */
  | {
      readonly kind: 'call'
      readonly caller: string
      readonly connection: number
      /** Whether the connection takes notifications. */
      readonly pushed: boolean
      /** The connection's reading of `latest`, where it has one of its own. */
      readonly latest?: LatestReading
      readonly message: CallMessage
    }

/** Leader → caller, on `<chain name>/<caller>`. */
export type ToCaller =
  /** Answers `hello`: calls may come. */
  | { readonly kind: 'welcome'; readonly leader: string }
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

/** Whether `a` is a later leadership than `b`; the name decides between two that began at once. */
export function isLater(a: Leadership, b: Leadership): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.leader > b.leader)
}
