import { create } from 'zustand'
import type { Hash } from '#primitives/hex.ts'
import type { ClockBefore } from './tour-clock.ts'

/** The steps of the tour, in order. */
export const TOUR_STEPS = ['send', 'mempool', 'preconfirmed', 'receipt', 'sealed', 'undone'] as const
export type TourStep = (typeof TOUR_STEPS)[number]

/** A person's progress on the tour, which can be resumed. */
export interface TourState {
  readonly open: boolean
  readonly step: TourStep
  /** The followed transaction, once it was sent. */
  readonly hash: Hash | undefined
  /** The clock's state to restore at the end. */
  readonly clock: ClockBefore | undefined
}

const START: TourState = { open: false, step: 'send', hash: undefined, clock: undefined }

export const useTour = create<TourState>()(() => START)

/** Opens the tour where it was left, or at its start. */
export function openTour(from: 'start' | 'where-left', clock: ClockBefore | undefined): void {
  useTour.setState(from === 'start' ? { ...START, open: true, clock } : { open: true, clock })
}

export function closeTour(): void {
  useTour.setState({ open: false, clock: undefined })
}

/** Sets the followed transaction; the tour moves to the step after sending. */
export function followTransaction(hash: Hash): void {
  useTour.setState({ hash, step: 'mempool' })
}

export function goToStep(step: TourStep): void {
  useTour.setState({ step })
}
