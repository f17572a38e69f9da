import type { HeaderOverrides } from '../payload/payload-builder.ts'
import { MAX_CHAIN_TIME_S } from './chain-time.ts'

/** Header overrides that a person asked for; the chain sets the other fields. */
export type NextHeader = Partial<HeaderOverrides>

/** Header overrides of coming blocks; immutable. */
export interface PendingOverrides {
  /** For the next block that opens. */
  readonly next: NextHeader
  /** The `next` that the live block used, in case it is reopened. */
  readonly live: NextHeader
  /** For every block. */
  readonly lasting: NextHeader
  /** Seconds between the timestamps of any two blocks in a row, if fixed. */
  readonly intervalSeconds: number | undefined
}

export const NO_OVERRIDES: PendingOverrides = { next: {}, live: {}, lasting: {}, intervalSeconds: undefined }

/** The overrides for a block that replaces the live one: the live block's apply again. */
export function renewed({ live, next, ...rest }: PendingOverrides): PendingOverrides {
  return { ...rest, live: {}, next: { ...live, ...next } }
}

/** Overrides without timestamps for the live and the next block. */
export function withoutTimestamp(pending: PendingOverrides): PendingOverrides {
  const { timestamp: _live, ...live } = pending.live
  const { timestamp: _next, ...next } = pending.next
  return { ...pending, live, next }
}

/**
 * The header overrides for a block that opens now, and those left for later blocks.
 *
 * @param scheduled - The block's timestamp by the schedule, in seconds.
 * @param parentTimestamp - Seconds.
 */
export function applyOverrides(
  pending: PendingOverrides,
  scheduled: number,
  parentTimestamp: number,
): { readonly overrides: HeaderOverrides; readonly left: PendingOverrides } {
  const { next, lasting, intervalSeconds } = pending
  // Capped at the latest possible time; beyond it the payload builder makes each block one second later than its
  // parent.
  const spaced = intervalSeconds === undefined ? scheduled : parentTimestamp + intervalSeconds
  const timestamp = Math.min(spaced, MAX_CHAIN_TIME_S)
  return { overrides: { timestamp, ...lasting, ...next }, left: { ...pending, live: next, next: {} } }
}
