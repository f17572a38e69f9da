import type { Hex } from '#primitives/hex.ts'
import { shortHex } from '#ui/format/hex.ts'
import type { Said } from './scenario/dapp-run.ts'
import type { DappOutcome, PaymentPlace } from './scenario/run-dapp.ts'
import { PLACES, timeOf } from './words.ts'

/** A line of what was said. */
export interface SaidRow {
  readonly tick: number
  readonly kind: Said['kind'] | 'chain' | 'fault'
  readonly what: string
  readonly answer?: string
  /** Whether the answer is an error. */
  readonly isError?: boolean
  /** How often the same was said in a row. */
  readonly times: number
  /** The tick of the last of them. */
  readonly until: number
  readonly truth?: PaymentPlace
}

/**
 * What was said between a dapp and its chain, with the faults and what became of the payment, in order. The same thing over
 * and over is one row.
 */
export function saidRows({
  said,
  truths,
  strikes,
}: Pick<DappOutcome, 'said' | 'truths' | 'strikes'>): readonly SaidRow[] {
  const rows: { readonly after: number; readonly row: SaidRow }[] = [
    ...said.map((each, i) => ({ after: i + 0.5, row: rowOf(each.tick, wordsOf(each)) })),
    ...strikes.map(({ tick, what, after }) => ({ after, row: rowOf(tick, { kind: 'fault', what: shortened(what) }) })),
    ...truths.map(({ tick, place, after }) => ({
      after,
      row: { ...rowOf(tick, { kind: 'chain', what: PLACES[place] }), truth: place },
    })),
  ]
  const joined: SaidRow[] = []
  for (const { row } of rows.sort((one, other) => one.after - other.after)) {
    const same = joined.findLastIndex((each) => isSame(each, row))
    const before = joined[same]
    if (before && joined.slice(same).every(isRoutine))
      joined[same] = { ...before, times: before.times + 1, until: row.tick }
    else joined.push(row)
  }
  return joined
}

/** With short hashes. */
const shortened = (text: string) => text.replace(/0x[\da-f]{64}/g, (hash) => shortHex(hash as Hex))

const rowOf = (tick: number, words: Pick<SaidRow, 'kind' | 'what' | 'answer' | 'isError'>): SaidRow => ({
  tick,
  until: tick,
  times: 1,
  ...words,
})

/** Calls and events that may come again and again. */
const isRoutine = ({ kind, isError }: SaidRow) => (kind === 'call' || kind === 'event') && !isError

const isSame = (one: SaidRow, other: SaidRow) =>
  one.kind === other.kind && isRoutine(one) && one.what === other.what && one.answer === other.answer

function wordsOf(said: Said): Pick<SaidRow, 'kind' | 'what' | 'answer' | 'isError'> {
  switch (said.kind) {
    case 'show':
      return { kind: 'show', what: said.text }
    case 'crash':
      return { kind: 'crash', what: said.about, isError: true }
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
