import type { DevnetFaults, PlannedFailure, WithdrawnFate } from '#rpc-types/devnet.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatCount, formatDuration } from '#ui/format/numbers.ts'

const WITHDRAWALS: Readonly<Record<WithdrawnFate, string>> = {
  requeue: 'The next partial block with transactions will be withdrawn; they go back to the mempool.',
  lose: 'The next partial block with transactions will be withdrawn; they are lost.',
}

/** What somebody has asked the chain to do wrong and is still to come, a sentence each. */
export function describeFaults({ stalledTicks, sealDelayMs, failNext, withdrawal }: DevnetFaults): readonly string[] {
  return [
    ...(stalledTicks > 0 ? [`${next(stalledTicks, 'tick')} will not pre-confirm anything.`] : []),
    ...(sealDelayMs > 0 ? [`The seal of the pending block will come ${formatDuration(sealDelayMs)} late.`] : []),
    ...(withdrawal?.planned ? [WITHDRAWALS[withdrawal.planned]] : []),
    ...failNext.map(describeFailure),
  ]
}

function describeFailure({ methods, error, delayMs = 0, times = 1 }: PlannedFailure): string {
  const calls = `${next(times, 'call')} of ${othersText(methods.join(' or '))}`
  const late = delayMs > 0 ? ` ${formatDuration(delayMs)} late` : ''
  return error
    ? `${calls} will be refused${late} with “${othersText(error.message)}” (${error.code}).`
    : `${calls} will be answered${late}.`
}

function next(count: number, noun: string): string {
  return count === 1 ? `The next ${noun}` : `The next ${formatCount(count, noun)}`
}
