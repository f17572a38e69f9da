import { SERVER_LIMITS, type ServerLimits } from '#server/http/limits.ts'
import type { Rate } from './allowance.ts'

const MIB = 1024 * 1024

/** Limits for all guests of a room together, unless noted otherwise. The speaker has a port with limits of its own. */
export const ROOM_LIMITS = {
  ...SERVER_LIMITS,
  /** TCP connections; a sixth of them is left to HTTP. */
  connections: 3_000,
  webSockets: 2_500,
  // A phone sends a transfer; the largest transaction that a guest may need is a small contract.
  bodyBytes: 64 * 1024,
  receivedBytes: 32 * MIB,
  unreadBytes: 64 * MIB,
  pushedBytes: 128 * MIB,
  bufferedBytes: MIB,
} satisfies ServerLimits & { bodyBytes: number }

/** TCP connections from one address. In some networks many phones share one; loopback, where tunnels end, has no such limit. */
export const CONNECTIONS_PER_ADDRESS = 200
/** Guests that are listed. A new one takes the place of the one that has been gone for longest. */
export const MAX_GUESTS = 1_000
/** Guests that `room_guests` names. */
export const MAX_GUESTS_TOLD = 500
/** Calls in one batch. */
export const MAX_CALLS = 50
/** Subscriptions of one connection. */
export const MAX_SUBSCRIPTIONS = 8
/** Subscriptions to whole partial blocks, transactions or logs: each is work in every tick. */
export const MAX_NODE_SUBSCRIPTIONS = 200
/** Calls that execute or search, under way at a time: of one connection, of all guests. */
export const HEAVY_AT_ONCE = { connection: 4, room: 48 }
/** Gas of one transaction. */
export const MAX_GAS = 1_000_000n
/** Wei that an account gets when it joins. */
export const GIFT = 10n ** 19n

/**
 * What a guest does at a limited rate. Every call counts as a `call`; a transaction, a large call and so on counts as that
 * as well. `list`: asking who is here.
 */
export type Action = 'call' | 'transaction' | 'heavy' | 'join' | 'report' | 'list'
/**
 * What only many connections together do at a limited rate: a proxy may send the requests of all phones over one.
 * `open`: opening a TCP connection; `request`: a request over HTTP, of whatever kind, or for a WebSocket.
 */
export type SharedAction = Action | 'open' | 'request'

/**
 * Refusals of one connection for these limits; if there are more, it is closed. Whoever taps the phone's button as fast
 * as two thumbs can gets some 8 a second.
 */
export const REFUSALS: Rate = { perSecond: 10, burst: 60 }

/** How long transactions may run, in milliseconds of execution. */
export interface TimeRate {
  readonly perSecondMs: number
  /** At once, after a pause. */
  readonly burstMs: number
}

/**
 * How long transactions of guests may run: of one connection, of all connections from one address that is not loopback,
 * and of all guests. A transfer takes some hundredths of a millisecond.
 */
export const TIME_RATES = {
  connection: { perSecondMs: 10, burstMs: 20 },
  address: { perSecondMs: 50, burstMs: 40 },
  room: { perSecondMs: 100, burstMs: 40 },
} satisfies Record<string, TimeRate>

/** Rates of one connection. */
export const CONNECTION_RATES: Readonly<Record<Action, Rate>> = {
  call: { perSecond: 20, burst: 120 },
  transaction: { perSecond: 2, burst: 10 },
  heavy: { perSecond: 5, burst: 40 },
  join: { perSecond: 0.2, burst: 5 },
  report: { perSecond: 2, burst: 10 },
  list: { perSecond: 1, burst: 10 },
}

/** Rates of all connections from one address that is not loopback. */
export const ADDRESS_RATES: Readonly<Record<SharedAction, Rate>> = {
  call: { perSecond: 1_000, burst: 5_000 },
  transaction: { perSecond: 100, burst: 300 },
  heavy: { perSecond: 50, burst: 500 },
  join: { perSecond: 5, burst: 200 },
  report: { perSecond: 100, burst: 300 },
  list: { perSecond: 50, burst: 200 },
  open: { perSecond: 10, burst: 300 },
  request: { perSecond: 1_000, burst: 10_000 },
}

/** Rates of all guests. */
export const ROOM_RATES: Readonly<Record<SharedAction, Rate>> = {
  call: { perSecond: 10_000, burst: 30_000 },
  transaction: { perSecond: 1_000, burst: 2_000 },
  heavy: { perSecond: 200, burst: 2_000 },
  join: { perSecond: 100, burst: 1_000 },
  report: { perSecond: 1_000, burst: 2_000 },
  list: { perSecond: 500, burst: 1_000 },
  open: { perSecond: 300, burst: 5_000 },
  request: { perSecond: 5_000, burst: 50_000 },
}
