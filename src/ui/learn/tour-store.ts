import { create } from 'zustand'
import type { Hash } from '#primitives/hex.ts'
import type { TourPace } from './chain-time.ts'
import type { ClockBefore } from './tour-clock.ts'

/** The steps of the tour, in order. */
const TOUR_STEPS = ['send', 'mempool', 'preconfirmed', 'receipt', 'sealed', 'undone', 'again'] as const
export type TourStep = (typeof TOUR_STEPS)[number]

/** The steps on this clock: a manual one has no full speed at which to send once more. */
export function stepsOn(clock: ClockBefore | undefined): readonly TourStep[] {
  return clock === undefined ? TOUR_STEPS.filter((step) => step !== 'again') : TOUR_STEPS
}

/** A person's progress on the tour, which can be resumed. */
export interface TourState {
  readonly open: boolean
  readonly step: TourStep
  /** The followed transaction, once it was sent. */
  readonly hash: Hash | undefined
  /** The clock's state to restore at the end. */
  readonly clock: ClockBefore | undefined
  /** How fast the chain's clock ran since the tour began, oldest first. */
  readonly paces: readonly TourPace[]
  /** The transaction that was sent at full speed, in the last step. */
  readonly again: Hash | undefined
}

const START: TourState = {
  open: false,
  step: 'send',
  hash: undefined,
  clock: undefined,
  paces: [],
  again: undefined,
}

export const useTour = create<TourState>()(() => START)

/** Opens the tour where it was left, or at its start. */
export function openTour(from: 'start' | 'where-left', clock: ClockBefore | undefined): void {
  useTour.setState(from === 'start' ? { ...START, open: true, clock } : { open: true, clock })
  notePace(0)
}

/** Closes the tour; it can be resumed at this step. */
export function closeTour(): void {
  const { clock } = useTour.getState()
  notePace(clock?.paused ? 0 : (clock?.speed ?? 1))
  useTour.setState({ open: false, clock: undefined })
}

/** Closes the tour after its last step; the next one begins at the first. The paces stay with the sent transaction. */
export function finishTour(): void {
  closeTour()
  useTour.setState({ step: 'send', again: undefined })
}

/**
 * Notes that the clock's speed has changed; a manual clock has none.
 *
 * @param speed - Chain time over real time; 0 while the clock is stopped.
 */
export function notePace(speed: number): void {
  if (!useTour.getState().clock) return
  useTour.setState(({ paces }) => ({ paces: [...paces, { fromMs: Date.now(), speed }] }))
}

/** Notes the transaction of the last step. */
export function followAgain(again: Hash): void {
  useTour.setState({ again })
}

/** Sets the followed transaction; the tour moves to the step after sending. */
export function followTransaction(hash: Hash): void {
  useTour.setState({ hash, step: 'mempool' })
}

export function goToStep(step: TourStep): void {
  useTour.setState({ step })
}
