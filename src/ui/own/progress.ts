import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { FeedTransaction } from '#ui/feed/feed-state.ts'

export type Progress = Pick<FeedTransaction, 'status' | 'outcome' | 'blockNumber' | 'partialIndex'>

const WAITING: Progress = { status: 'mempool', outcome: undefined, blockNumber: undefined, partialIndex: undefined }

/** A transaction's progress from its history; withdrawn steps do not count. */
export function progressOf(events: readonly TimelineEvent[]): Progress {
  let progress = WAITING
  for (const event of events) {
    switch (event.kind) {
      case 'received':
        progress = WAITING
        break
      case 'preconfirmed':
        progress = {
          status: 'preconfirmed',
          outcome: event.status,
          blockNumber: Number(event.blockNumber),
          partialIndex: event.index,
        }
        break
      case 'sealed':
        progress = { ...progress, status: 'sealed', blockNumber: Number(event.blockNumber) }
        break
      case 'withdrawn':
        progress = event.requeued ? WAITING : { ...WAITING, status: 'dropped' }
        break
      case 'dropped':
      case 'replaced':
        progress = { ...progress, status: event.kind }
        break
    }
  }
  return progress
}

/**
 * A transaction's progress from all of the node's answers: its history, which lacks everything before the node's last
 * start, the transaction and the receipt.
 */
export function progressOfAll(
  events: readonly TimelineEvent[],
  tx: RpcTransaction | null,
  receipt: RpcReceipt | null,
): Progress {
  const answered = progressByAnswers(tx, receipt)
  if (events.length === 0) return answered
  const told = progressOf(events)
  return told.status === answered.status ? { ...told, outcome: told.outcome ?? answered.outcome } : told
}

/** A transaction's progress on a chain without timelines. */
export function progressByAnswers(tx: RpcTransaction | null, receipt: RpcReceipt | null): Progress {
  const blockHash = receipt?.blockHash ?? tx?.blockHash
  if (!blockHash) return WAITING
  const status = BigInt(blockHash) === 0n ? 'preconfirmed' : 'sealed'
  return {
    status,
    outcome: receipt ? (receipt.status === '0x0' ? 'reverted' : 'success') : undefined,
    blockNumber: Number(receipt?.blockNumber ?? tx?.blockNumber),
    partialIndex: undefined,
  }
}

/**
 * Combines the progress from feed and node: the feed is faster, an answer for the same status has more details. What an
 * answer lacks, as when a reload came before the page had stored the history, is filled in by the feed.
 */
export function knownProgress(seen: Progress | undefined, answered: Progress): Progress {
  if (!seen) return answered
  if (seen.status !== answered.status) return seen
  if (seen.blockNumber !== answered.blockNumber) return answered
  const { outcome = seen.outcome, partialIndex = seen.partialIndex } = answered
  return { ...answered, outcome, partialIndex }
}

/** Whether a transaction has reached a step; withdrawn steps do not count. */
export function hasReached(progress: Progress, step: 'preconfirmed' | 'sealed'): boolean {
  return progress.status === 'sealed' || progress.status === step
}

/** Shown when steps were taken but their times are unknown. */
export const LOST_TIMES = 'Some times are missing: the node that recorded them has stopped.'

/** Milliseconds from the node's receipt of a transaction to its next steps; those not taken yet are missing. */
export interface StepTimes {
  /** Milliseconds since the Unix epoch. */
  readonly receivedAtMs: number | undefined
  readonly preconfirmedMs: number | undefined
  readonly sealedMs: number | undefined
}

export function stepTimes(events: readonly TimelineEvent[]): StepTimes {
  // A lost transaction can be sent again.
  const receivedAtMs = events.findLast((event) => event.kind === 'received')?.atMs
  // Withdrawn steps happened, but no longer count.
  const standing = events.slice(events.findLastIndex((event) => event.kind === 'withdrawn') + 1)
  const since = (kind: TimelineEvent['kind']) => {
    const atMs = standing.findLast((event) => event.kind === kind)?.atMs
    return atMs === undefined || receivedAtMs === undefined ? undefined : atMs - receivedAtMs
  }
  return { receivedAtMs, preconfirmedMs: since('preconfirmed'), sealedMs: since('sealed') }
}
