import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'

/** The speaker may do everything; a guest sends own transactions and looks. */
export type RoomRole = 'speaker' | 'guest'

/** How many marks there are: each is a shape and a colour on the page. */
export const ROOM_MARKS = 64

/** Code points in the name of a guest, at most. */
export const MAX_GUEST_NAME = 20

/** Guests whom one {@link RoomBeat} names, at most. */
export const MAX_TOLD_IN_BEAT = 200

/** What the room says about itself. */
export interface RoomInfo {
  /** Role of the caller's connection. */
  readonly role: RoomRole
  /** The address for guests, which the QR code shows. */
  readonly url: string
  /** How many have joined so far and are listed. */
  readonly guests: number
  readonly limits: {
    /** Transactions per second from one connection of a guest, on average. */
    readonly transactionsPerSecond: number
  }
}

/** A guest's place in the room. */
export interface RoomPlace {
  /** Counts the guests from 1, in the order in which they joined. */
  readonly number: number
  /** 0 to `ROOM_MARKS` − 1. */
  readonly mark: number
  /** Wei at `pending`. */
  readonly balance: Quantity
  /** 16 random bytes. Joining with this address from another connection takes them: name and address stay the guest's. */
  readonly secret: Hex
}

/** A guest, as the stage shows it. */
export interface RoomGuest extends Pick<RoomPlace, 'number' | 'mark'> {
  /** 1 to `MAX_GUEST_NAME` code points, without characters that hide or reorder others. */
  readonly name: string
  readonly address: Address
  /** Whether a connection that joined with this address is open. */
  readonly connected: boolean
  /** Transactions from this address that were pre-confirmed. */
  readonly sent: number
  /** Median of the latest reports, in milliseconds; `null` without any. */
  readonly latencyMs: number | null
}

/** Who is in the room. */
export interface RoomGuests {
  /** Newest first, at most 500. */
  readonly guests: readonly RoomGuest[]
  /** Guests with an open connection, listed or not. */
  readonly connected: number
  /** Open connections of guests that have not joined. */
  readonly watching: number
  /** Transactions of guests pre-confirmed per second, over the last five seconds. */
  readonly transactionsPerSecond: number
  /** Median over the guests that have reported, in milliseconds; `null` without any. */
  readonly latencyMs: number | null
}

/**
 * What `eth_subscribe ["room"]` tells after each partial block that brings transactions or takes some back, and when a
 * block is sealed.
 */
export interface RoomBeat {
  readonly block: number
  /** Index of the partial block; of the last one if the block is sealed. */
  readonly index: number
  readonly sealed: boolean
  /** Numbers of the guests whose transactions are new in it, one for each transaction. */
  readonly guests: readonly number[]
  /** Milliseconds since the Unix epoch at which it was cut or sealed. */
  readonly atMs: number
  /** How often, since the room opened, the chain has gone back: what was pre-confirmed or sealed may be so no longer. */
  readonly rewinds: number
}

/** What a guest gets for its report. */
export interface RoomReceipt {
  /** Milliseconds since the Unix epoch at which the partial block with the transaction was cut. */
  readonly preconfirmedAtMs: number
}

/**
 * Methods of a server that runs with `--room`. The server answers them and the node does not know them: any other server
 * answers `method-not-found`.
 */
export interface RoomMethods {
  /** The caller's role, and what guests need to know. */
  room_info: { params: []; result: RoomInfo }
  /**
   * Enters with a name and an account, which gets test money once; again with the same account, changes the name. From
   * another connection that takes the `secret` that the first time answered.
   */
  room_join: {
    params: [guest: { readonly name: string; readonly address: Address; readonly secret?: Hex }]
    result: RoomPlace
  }
  /** Who is here. */
  room_guests: { params: []; result: RoomGuests }
  /** Tells how long an own transaction took to be pre-confirmed as its sender saw it: 0 to 60,000 milliseconds. */
  room_report: { params: [report: { readonly hash: Hash; readonly preconfirmedMs: number }]; result: RoomReceipt }
}
