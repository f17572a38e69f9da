import type { HeaderOverrides } from '../payload/payload-builder.ts'
import { MAX_CHAIN_TIME_S } from './chain-time.ts'

/** Header overrides that a person asked for; the chain decides the rest. */
export type NextHeader = Partial<HeaderOverrides>

/** Header overrides of coming blocks; immutable. */
export interface PendingOverrides {
  /** Of the next block that opens. */
  readonly next: NextHeader
  /** The value of `next` that the live block used, in case it is opened again. */
  readonly live: NextHeader
  /** Of every block. */
  readonly lasting: NextHeader
  /** From the timestamp of every block to the next. */
  readonly intervalSeconds: number | undefined
}

export const NO_OVERRIDES: PendingOverrides = { next: {}, live: {}, lasting: {}, intervalSeconds: undefined }

/** The overrides for a block that takes the live one's place: those of the live one apply again. */
export function renewed({ live, next, ...rest }: PendingOverrides): PendingOverrides {
  return { ...rest, live: {}, next: { ...live, ...next } }
}

/** The same overrides without one block's timestamp. */
export function withoutTimestamp(pending: PendingOverrides): PendingOverrides {
  const { timestamp: _live, ...live } = pending.live
  const { timestamp: _next, ...next } = pending.next
  return { ...pending, live, next }
}

/**
 * The header overrides of a block that opens now, and the overrides that are left for later blocks.
 *
 * @param scheduled - The timestamp that the schedule gives it, in seconds.
 * @param parentTimestamp - Seconds.
 */
export function applyOverrides(
  pending: PendingOverrides,
  scheduled: number,
  parentTimestamp: number,
): { readonly overrides: HeaderOverrides; readonly left: PendingOverrides } {
  const { next, lasting, intervalSeconds } = pending
  // At the end of all time that a chain can have, blocks go on a second apart.
  const spaced = intervalSeconds === undefined ? scheduled : parentTimestamp + intervalSeconds
  const timestamp = Math.min(spaced, MAX_CHAIN_TIME_S)
  return { overrides: { timestamp, ...lasting, ...next }, left: { ...pending, live: next, next: {} } }
}
