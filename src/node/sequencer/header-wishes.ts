import type { HeaderWish } from '../payload/payload-builder.ts'
import { MAX_CHAIN_TIME_S } from './chain-time.ts'

/** Header fields that a development node asks for; what is left out is the chain's own business. */
export type NextHeader = Partial<HeaderWish>

/** Header fields that somebody asked for in coming blocks; immutable. */
export interface HeaderWishes {
  /** Of the next block that opens. */
  readonly next: NextHeader
  /** The value of `next` that the live block used, in case it is opened again. */
  readonly live: NextHeader
  /** Of every block. */
  readonly lasting: NextHeader
  /** From the timestamp of every block to the next. */
  readonly intervalSeconds: number | undefined
}

export const NO_WISHES: HeaderWishes = { next: {}, live: {}, lasting: {}, intervalSeconds: undefined }

/** The same wishes for a block that takes the live one's place: what was asked of that one holds again. */
export function renewed({ live, next, ...rest }: HeaderWishes): HeaderWishes {
  return { ...rest, live: {}, next: { ...live, ...next } }
}

/** The same wishes without one block's timestamp. */
export function withoutTimestamp(wishes: HeaderWishes): HeaderWishes {
  const { timestamp: _live, ...live } = wishes.live
  const { timestamp: _next, ...next } = wishes.next
  return { ...wishes, live, next }
}

/**
 * The wish for a block that opens now, and the wishes that are left.
 *
 * @param scheduled - The timestamp that the schedule gives it, in seconds.
 * @param parentTimestamp - Seconds.
 */
export function takeWish(
  wishes: HeaderWishes,
  scheduled: number,
  parentTimestamp: number,
): { readonly wish: HeaderWish; readonly left: HeaderWishes } {
  const { next, lasting, intervalSeconds } = wishes
  // At the end of all time that a chain can have, blocks go on a second apart.
  const spaced = intervalSeconds === undefined ? scheduled : parentTimestamp + intervalSeconds
  const timestamp = Math.min(spaced, MAX_CHAIN_TIME_S)
  return { wish: { timestamp, ...lasting, ...next }, left: { ...wishes, live: next, next: {} } }
}
