import type { TimelineEvent } from '#rpc-types/devnet.ts'
import { formatDuration } from '#ui/format/numbers.ts'

/** A branch of a transaction's history: a step that it took and that was taken back. */
export interface Withdrawal {
  readonly step: 'preconfirmed' | 'sealed'
  readonly blockNumber: number
  /** Milliseconds since the Unix epoch at which the step was taken. */
  readonly tookPlaceAtMs: number
  readonly withdrawnAtMs: number
  /** Whether it waits in the mempool again; else it was lost. */
  readonly requeued: boolean
}

/** The branches of a history, oldest first. */
export function withdrawalsOf(events: readonly TimelineEvent[]): readonly Withdrawal[] {
  return events.flatMap((event, i) => {
    if (event.kind !== 'withdrawn') return []
    const undone = events.slice(0, i).findLast((before) => before.kind === 'preconfirmed' || before.kind === 'sealed')
    if (!undone) return []
    return {
      step: undone.kind,
      blockNumber: Number(undone.blockNumber),
      tookPlaceAtMs: undone.atMs,
      withdrawnAtMs: event.atMs,
      requeued: event.requeued,
    }
  })
}

/** What happened, and what became of the transaction. */
export function withdrawalWords({ step, blockNumber, tookPlaceAtMs, withdrawnAtMs, requeued }: Withdrawal): string {
  const name = step === 'sealed' ? 'Sealed' : 'Pre-confirmed'
  const fate = requeued ? 'it went back to the mempool.' : 'the transaction was lost.'
  return `${name} in block #${blockNumber}, and taken back after ${formatDuration(withdrawnAtMs - tookPlaceAtMs)}: ${fate}`
}
