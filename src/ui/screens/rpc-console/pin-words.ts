import { othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import type { Answer, ChainMoment, PinnedRequest } from './pinned-reducer.ts'
import { valueHint } from './value-hint.ts'

/** Characters of an answer that fit on its card. */
const MAX_ANSWER = 240
const MAX_VALUE = 48

/** A value on one line, shortened, with what it is in decimal. */
export function valueText(value: unknown, limit = MAX_VALUE): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const hint = typeof value === 'string' ? valueHint(value, undefined) : undefined
  const short = othersText(text, limit)
  return hint === undefined ? short : `${short} (${hint})`
}

/** What the node said, on one line. */
export function answerText(answer: Answer): string {
  return answer.ok ? valueText(answer.result, MAX_ANSWER) : `Refused: ${othersText(answer.message, MAX_ANSWER)}`
}

/** Whether and when the answer changed, as a sentence. */
export function pinWords({ runs, lastChange, changedNow }: PinnedRequest): string {
  if (runs === 0) return 'Not run yet.'
  if (!lastChange) return runs === 1 ? 'Run once.' : `The same in all ${formatCount(runs, 'run')}.`
  return changedNow ? `Changed with ${momentWords(lastChange.at)}.` : `Unchanged since ${momentWords(lastChange.at)}.`
}

function momentWords({ blockNumber, partialIndex }: ChainMoment): string {
  return `partial block ${partialIndex} of #${blockNumber}`
}
