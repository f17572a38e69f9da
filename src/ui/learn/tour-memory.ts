import { keep, readKept } from '#ui/page/kept-text.ts'
import type { ClockBefore } from './tour-clock.ts'

const OFFER_KEY = 'blinknet.tour.answered'
const CLOCK_KEY = 'blinknet.tour.clock'

/** Used while this page is open, if storage is not available. */
let answered = false

/** A clock changed by a tour, and its chain. */
export interface TakenClock {
  readonly chain: string
  readonly clock: ClockBefore
}

/** Whether the person has taken or refused the tour before. Without storage it is offered once per page. */
export function isOfferAnswered(): boolean {
  return answered || readKept(OFFER_KEY) !== null
}

export function answerOffer(): void {
  answered = true
  keep(OFFER_KEY, 'yes')
}

/** Remembers a changed clock in case the page is closed during the tour. */
export function rememberClock(taken: TakenClock): void {
  keep(CLOCK_KEY, JSON.stringify(taken))
}

export function forgetClock(): void {
  keep(CLOCK_KEY, null)
}

/** The clock that a tour changed and did not restore; an invalid entry is ignored. */
export function forgottenClock(): TakenClock | undefined {
  const text = readKept(CLOCK_KEY)
  if (text === null) return undefined
  try {
    return parseTakenClock(JSON.parse(text))
  } catch {
    // Not JSON: written by something else.
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
