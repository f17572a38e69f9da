import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import { formatDuration } from '#ui/format/numbers.ts'

/** A withdrawn step of a transaction's history. */
export interface OwnWithdrawal {
  readonly step: 'preconfirmed' | 'sealed'
  readonly blockNumber: number
  /** When the step was taken, in milliseconds since the Unix epoch. */
  readonly tookPlaceAtMs: number
  readonly withdrawnAtMs: number
  /** What became of the transaction: back in the mempool, lost, or lost until somebody sent it again. */
  readonly fate: 'requeued' | 'lost' | 'sent-again'
}

/** The withdrawn steps of a history, oldest first. */
export function withdrawalsOf(events: readonly TimelineEvent[]): readonly OwnWithdrawal[] {
  return events.flatMap((event, i) => {
    if (event.kind !== 'withdrawn') return []
    const undone = events.slice(0, i).findLast((before) => before.kind === 'preconfirmed' || before.kind === 'sealed')
    if (!undone) return []
    return {
      step: undone.kind,
      blockNumber: Number(undone.blockNumber),
      tookPlaceAtMs: undone.atMs,
      withdrawnAtMs: event.atMs,
      fate: event.requeued ? 'requeued' : i < events.length - 1 ? 'sent-again' : 'lost',
    }
  })
}

const FATES: Readonly<Record<OwnWithdrawal['fate'], string>> = {
  requeued: 'it went back to the mempool.',
  lost: 'the transaction was lost.',
  'sent-again': 'the transaction was lost, and sent again later.',
}

/** Describes the withdrawal and what became of the transaction. */
export function withdrawalWords({ step, blockNumber, tookPlaceAtMs, withdrawnAtMs, fate }: OwnWithdrawal): string {
  const name = step === 'sealed' ? 'Sealed' : 'Pre-confirmed'
  const lasted = formatDuration(withdrawnAtMs - tookPlaceAtMs)
  return `${name} in block #${blockNumber}, then withdrawn after ${lasted}: ${FATES[fate]}`
}

const BRIEF_FATES: typeof FATES = {
  requeued: 'back in the mempool.',
  lost: 'lost.',
  'sent-again': 'lost, and sent again.',
}

/** A withdrawal in words for small places, which show the step otherwise, and where a speaker may have talked meanwhile. */
export function briefWithdrawalWords({ blockNumber, fate }: Pick<OwnWithdrawal, 'blockNumber' | 'fate'>): string {
  return `Withdrawn from block #${blockNumber}: ${BRIEF_FATES[fate]}`
}
