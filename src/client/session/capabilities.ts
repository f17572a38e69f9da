import type { Address } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { RoomInfo } from '#rpc-types/methods/room.ts'

/** Features of a chain beyond those that every chain has. */
export interface Capabilities {
  /** The chain announces transactions before their block is sealed. */
  readonly preconfirms: boolean
  /**
   * How partial blocks arrive: only new transactions each time, the whole live block each time, or not at all (the page
   * polls).
   */
  readonly partialBlocks: 'diffs' | 'blocks' | 'none'
  /** Sealed blocks are pushed. */
  readonly pushes: boolean
  /** Clock controls, status and the timelines of transactions. */
  readonly devnet: boolean
  /** The chain is a film: nothing can change it. */
  readonly film: boolean
  /** The room that the endpoint has opened. */
  readonly room?: RoomInfo | undefined
  /** The development accounts among its listed accounts. */
  readonly accounts: readonly Address[]
}

/** Features of the built-in chain: all of them. */
export const BUILT_IN_CAPABILITIES: Capabilities = {
  preconfirms: true,
  partialBlocks: 'diffs',
  pushes: true,
  devnet: true,
  film: false,
  accounts: DEV_KEYS.map(({ address }) => address),
}

/** Features of a film: it is read only, and nothing can be sent. */
export const FILM_CAPABILITIES: Capabilities = { ...BUILT_IN_CAPABILITIES, film: true, accounts: [] }

/** No features: the chain is not known yet. */
export const NO_CAPABILITIES: Capabilities = {
  preconfirms: false,
  partialBlocks: 'none',
  pushes: false,
  devnet: false,
  film: false,
  accounts: [],
}

/** Whether this page is a guest's in a room. */
export function isGuest({ room }: Pick<Capabilities, 'room'>): boolean {
  return room?.role === 'guest'
}

/** Whether nothing can be changed from here: the chain is a film, or this page is a guest's. */
export function isReadOnly(capabilities: Pick<Capabilities, 'film' | 'room'>): boolean {
  return capabilities.film || isGuest(capabilities)
}
