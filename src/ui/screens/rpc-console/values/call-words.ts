import type { CallOutcome } from '#client/session/call-log.ts'
import { formatDuration } from '#ui/format/numbers.ts'

/** A duration, with tenths of a millisecond if it is short. */
export function formatTook(ms: number): string {
  if (ms < 0.05) return '<0.1 ms'
  return ms < 10 ? `${ms.toFixed(1)} ms` : formatDuration(ms)
}

/** The local time of day, to the millisecond. */
export function formatClock(unixMs: number): string {
  const date = new Date(unixMs)
  const two = (value: number) => String(value).padStart(2, '0')
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${time}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Outcome of a call, in a word or two. */
export function outcomeWords(outcome: CallOutcome): string {
  switch (outcome.status) {
    case 'waiting':
      return 'waiting'
    case 'answered':
      return 'ok'
    case 'failed':
      return outcome.code === undefined ? 'failed' : `error ${outcome.code}`
  }
}
