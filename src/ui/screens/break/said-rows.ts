import type { Said } from './scenario/dapp-run.ts'
import type { Truth } from './scenario/run-dapp.ts'
import { PLACES, timeOf } from './words.ts'

/** A line of what was said. */
export interface SaidRow {
  readonly tick: number
  readonly kind: Said['kind'] | 'chain'
  readonly what: string
  readonly answer?: string
  /** Whether the answer is an error. */
  readonly isError?: boolean
  /** How often the same was said in a row. */
  readonly times: number
  /** The tick of the last of them. */
  readonly until: number
  readonly truth?: Truth['place']
}

/**
 * What was said between a dapp and its chain, with what became of the payment, in order. The same thing over and over is one
 * row.
 */
export function saidRows(said: readonly Said[], truths: readonly Truth[]): readonly SaidRow[] {
  const rows: SaidRow[] = said.map((each) => ({ tick: each.tick, until: each.tick, times: 1, ...wordsOf(each) }))
  const places = truths.map(
    ({ tick, place }): SaidRow => ({ tick, until: tick, times: 1, kind: 'chain', what: PLACES[place], truth: place }),
  )
  const joined: SaidRow[] = []
  // Of one tick, what the chain has comes first.
  for (const row of [...places, ...rows].sort((one, other) => one.tick - other.tick)) {
    const same = joined.findLastIndex((each) => isSame(each, row))
    const between = joined.slice(same + 1)
    if (same !== -1 && between.every((each) => isRoutine(each) && each.times > 0)) {
      const before = joined[same] as SaidRow
      joined[same] = { ...before, times: before.times + 1, until: row.tick }
    } else joined.push(row)
  }
  return joined
}

/** Calls and events that may come again and again. */
const isRoutine = ({ kind, isError }: SaidRow) => (kind === 'call' || kind === 'event') && !isError

const isSame = (one: SaidRow, other: SaidRow) =>
  one.kind === other.kind && isRoutine(one) && one.what === other.what && one.answer === other.answer

function wordsOf(said: Said): Pick<SaidRow, 'kind' | 'what' | 'answer' | 'isError'> {
  switch (said.kind) {
    case 'show':
      return { kind: 'show', what: said.text }
    case 'event':
      return { kind: 'event', what: said.about.replace(/^partial block \d+$/, 'empty partial block') }
    case 'call': {
      const { method, about, answer, tick, answeredAt = tick, isError = false } = said
      const late = answeredAt > tick ? `, after ${timeOf(answeredAt - tick)}` : ''
      const what = about === '' ? method : `${method} ${about}`
      return { kind: 'call', what, answer: answer === undefined ? 'no answer' : answer + late, isError }
    }
  }
}
