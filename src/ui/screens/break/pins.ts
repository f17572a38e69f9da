import { create } from 'zustand'
import { formatFate, parseFate, type Schedule } from '#fates/fault.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'
import { WAYS, type Way } from './scenario/scenario.ts'

/** Histories that the stage shows side by side. */
export interface Pins {
  readonly way: Way
  /** Oldest first. */
  readonly fates: readonly string[]
}

/** How many the stage shows. */
export const MAX_PINS = 3
const KEY = 'blinknet.break.pins'

/** A kept promise, one that is taken back, and one that nobody is told of. */
export const DEFAULT_PINS: Pins = { way: 'subscribing', fates: ['', 'withdraw@1', 'silent-stream@0'] }

/** Reads what was kept; the defaults if that is nothing, or not of this version. */
export function parsePins(text: string | null): Pins {
  const [way, ...fates] = text?.split('\n') ?? []
  const known = WAYS.find((each) => each === way)
  if (known === undefined || fates.length === 0 || fates.length > MAX_PINS) return DEFAULT_PINS
  try {
    return { way: known, fates: fates.map((fate) => formatFate(parseFate(fate))) }
  } catch {
    // Another version has other faults.
    return DEFAULT_PINS
  }
}

export const formatPins = ({ way, fates }: Pins): string => [way, ...fates].join('\n')

/** What is pinned, in all tabs of this browser. */
export const usePins = create<Pins>()(() => parsePins(readKept(KEY)))

/** Pins a history, or takes it from the stage. The oldest makes room for a fourth. */
export function togglePin(way: Way, schedule: Schedule): void {
  const fate = formatFate(schedule)
  const now = usePins.getState()
  const fates = now.way === way ? now.fates : []
  const next = fates.includes(fate) ? fates.filter((each) => each !== fate) : [...fates, fate].slice(-MAX_PINS)
  const pins = next.length > 0 ? { way, fates: next } : DEFAULT_PINS
  usePins.setState(pins)
  keep(KEY, formatPins(pins))
}
