import type { TimelineEvent } from '#rpc-types/devnet.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { FeedTransaction } from '#ui/feed/feed-state.ts'

export type Progress = Pick<FeedTransaction, 'stage' | 'outcome' | 'blockNumber' | 'partialIndex'>

const WAITING: Progress = { stage: 'mempool', outcome: undefined, blockNumber: undefined, partialIndex: undefined }

/** A transaction's progress by its history; withdrawn steps no longer count. */
export function progressOf(events: readonly TimelineEvent[]): Progress {
  let progress = WAITING
  for (const event of events) {
    switch (event.kind) {
      case 'received':
        progress = WAITING
        break
      case 'preconfirmed':
        progress = {
          stage: 'preconfirmed',
          outcome: event.status,
          blockNumber: Number(event.blockNumber),
          partialIndex: event.index,
        }
        break
      case 'sealed':
        progress = { ...progress, stage: 'sealed', blockNumber: Number(event.blockNumber) }
        break
      case 'withdrawn':
        progress = event.requeued ? WAITING : { ...WAITING, stage: 'dropped' }
        break
      case 'dropped':
      case 'replaced':
        progress = { ...progress, stage: event.kind }
        break
    }
  }
  return progress
}

/**
 * A transaction's progress by everything that the node answers: its history as far as the node has it, which is not
 * what happened before the node last started.
 */
export function progressOfAll(
  events: readonly TimelineEvent[],
  tx: RpcTransaction | null,
  receipt: RpcReceipt | null,
): Progress {
  const answered = progressByAnswers(tx, receipt)
  if (events.length === 0) return answered
  const told = progressOf(events)
  return told.stage === answered.stage ? { ...told, outcome: told.outcome ?? answered.outcome } : told
}

/** A transaction's progress by the answers of a chain without timelines. */
export function progressByAnswers(tx: RpcTransaction | null, receipt: RpcReceipt | null): Progress {
  const blockHash = receipt?.blockHash ?? tx?.blockHash
  if (!blockHash) return WAITING
  const stage = BigInt(blockHash) === 0n ? 'preconfirmed' : 'sealed'
  return {
    stage,
    outcome: receipt ? (receipt.status === '0x0' ? 'reverted' : 'success') : undefined,
    blockNumber: Number(receipt?.blockNumber ?? tx?.blockNumber),
    partialIndex: undefined,
  }
}

/** A transaction's progress from feed and node: the feed hears first, an answer of the same stage knows more. */
export function knownProgress(seen: Progress | undefined, answered: Progress): Progress {
  return seen && seen.stage !== answered.stage ? seen : answered
}

/** Whether a transaction has taken a step; those that were withdrawn no longer count. */
export function hasReached(progress: Progress, step: 'preconfirmed' | 'sealed'): boolean {
  return progress.stage === 'sealed' || progress.stage === step
}

/** Said where steps were taken and their times are not known. */
export const LOST_TIMES = 'Some times are missing: the node that recorded them has stopped.'

/** Milliseconds from the node's receipt of a transaction to its next steps; those not taken yet are missing. */
export interface StepTimes {
  /** Milliseconds since the Unix epoch. */
  readonly receivedAtMs: number | undefined
  readonly preconfirmedMs: number | undefined
  readonly sealedMs: number | undefined
}

export function stepTimes(events: readonly TimelineEvent[]): StepTimes {
  // One that was lost can be sent again.
  const receivedAtMs = events.findLast((event) => event.kind === 'received')?.atMs
  // What was withdrawn happened, but not to this transaction as it stands.
  const standing = events.slice(events.findLastIndex((event) => event.kind === 'withdrawn') + 1)
  const since = (kind: TimelineEvent['kind']) => {
    const atMs = standing.findLast((event) => event.kind === kind)?.atMs
    return atMs === undefined || receivedAtMs === undefined ? undefined : atMs - receivedAtMs
  }
  return { receivedAtMs, preconfirmedMs: since('preconfirmed'), sealedMs: since('sealed') }
}
