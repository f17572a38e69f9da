import { keep, readKept } from '#ui/page/kept-text.ts'
import type { ClockBefore } from './tour-clock.ts'

const OFFER_KEY = 'blinknet.tour.answered'
const CLOCK_KEY = 'blinknet.tour.clock'

/** For as long as this page is open, where nothing can be kept. */
let answered = false

/** A clock that a tour has taken, and of which chain. */
export interface TakenClock {
  readonly chain: string
  readonly clock: ClockBefore
}

/** Whether the person has taken or refused the tour before; where nothing can be kept, it is offered once for each page. */
export function isOfferAnswered(): boolean {
  return answered || readKept(OFFER_KEY) !== null
}

export function answerOffer(): void {
  answered = true
  keep(OFFER_KEY, 'yes')
}

/** Keeps a taken clock over a page that is closed in the middle of the tour. */
export function rememberClock(taken: TakenClock): void {
  keep(CLOCK_KEY, JSON.stringify(taken))
}

export function forgetClock(): void {
  keep(CLOCK_KEY, null)
}

/** The clock that a tour has taken and not given back; what makes no sense is as if it were not there. */
export function forgottenClock(): TakenClock | undefined {
  const text = readKept(CLOCK_KEY)
  if (text === null) return undefined
  try {
    return parseTakenClock(JSON.parse(text))
  } catch {
    // No JSON: something else has written there.
    return undefined
  }
}

function parseTakenClock(value: unknown): TakenClock | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { chain, clock } = value as { chain?: unknown; clock?: Partial<Record<keyof ClockBefore, unknown>> }
  const { paused, automine, speed } = clock ?? {}
  if (typeof chain !== 'string' || typeof paused !== 'boolean' || typeof speed !== 'number') return undefined
  return speed > 0 && speed <= 100 ? { chain, clock: { paused, automine: automine === true, speed } } : undefined
}
