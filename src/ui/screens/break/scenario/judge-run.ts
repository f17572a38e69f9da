import type { DappClaim } from './dapp-tools.ts'
import type { DappOutcome, PaymentPlace } from './run-dapp.ts'

/** Milliseconds of a tick of the scenario's chain. */
export const TICK_MS = 200

/** How far a dapp's screen and its chain agree. */
export interface DappVerdict {
  /** `lucky`: right in the end, and said before the chain could know. */
  readonly kind: 'right' | 'lucky' | 'wrong'
  /** One sentence. */
  readonly words: string
}

const isOnChain = (place: PaymentPlace) => place === 'preconfirmed' || place === 'sealed'
const seconds = (ticks: number) => `${((ticks * TICK_MS) / 1_000).toFixed(1)} s`

/** Compares what a dapp has shown with where the payment was, at the end of each tick. */
export function judgeRun({ ticks, truths, shown }: Pick<DappOutcome, 'ticks' | 'truths' | 'shown'>): DappVerdict {
  const claimAt = (tick: number): DappClaim => shown.findLast((each) => each.tick <= tick)?.claim ?? 'busy'
  const placeAt = (tick: number): PaymentPlace => truths.findLast((each) => each.tick <= tick)?.place ?? 'unsent'
  const all = Array.from({ length: ticks + 1 }, (_, tick) => tick)
  const claim = claimAt(ticks)
  const place = placeAt(ticks)
  if (Math.max(0, ...truths.map(({ payments }) => payments)) > 1) return wrong('It paid twice.')
  if (claim === 'paid' && !isOnChain(place)) return wrong('It says “Paid” for ever, and nothing was paid.')
  if (claim === 'failed' && isOnChain(place)) return wrong('It says that nothing was paid, and the payment was made.')
  if (claim === 'busy' || claim === 'early') {
    return wrong(`It waits for ever, and ${isOnChain(place) ? 'the payment was made' : 'nothing was paid'}.`)
  }
  const untrue = all.filter((tick) => claimAt(tick) === 'paid' && !isOnChain(placeAt(tick))).length
  if (untrue > 0) return wrong(`It says “Paid” for ${seconds(untrue)} while nothing is paid.`)
  const early = all.filter((tick) => claimAt(tick) === 'paid' && placeAt(tick) !== 'sealed').length
  if (early > 0)
    return { kind: 'lucky', words: `It says “Paid” ${seconds(early)} before the block is sealed. This time that held.` }
  return {
    kind: 'right',
    words: claim === 'paid' ? 'It says “Paid” once that is so.' : 'It says that nothing was paid, and that is so.',
  }
}

const wrong = (words: string): DappVerdict => ({ kind: 'wrong', words })
