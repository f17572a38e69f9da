export type LoadPattern = 'steady' | 'burst' | 'calls' | 'reverts'

/** Options of the load. */
export interface LoadPlan {
  /** Average transactions per second; 0 for none. */
  readonly rate: number
  readonly pattern: LoadPattern
}

/** The available rates, in visually even steps. */
export const LOAD_RATES: readonly number[] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500]

export const LOAD_PATTERNS: readonly LoadPattern[] = ['steady', 'burst', 'calls', 'reverts']

/** Milliseconds between bursts. */
const BURST_EVERY_MS = 2_000

/** Number of transactions that should have been sent `elapsedMs` after the start. */
export function dueCount({ rate, pattern }: LoadPlan, elapsedMs: number): number {
  if (pattern !== 'burst') return Math.floor((rate * elapsedMs) / 1_000)
  return Math.floor(elapsedMs / BURST_EVERY_MS + 1) * Math.round((rate * BURST_EVERY_MS) / 1_000)
}

/** Whether the pattern's transactions call the load's contract. */
export function needsTarget(pattern: LoadPattern): boolean {
  return pattern === 'calls' || pattern === 'reverts'
}

/** Parses `?load=200` or `?load=200,burst`; `undefined` if missing or invalid. */
export function loadFromAddress(search: string): LoadPlan | undefined {
  const [rateText = '', patternText = 'steady'] = (new URLSearchParams(search).get('load') ?? '').split(',')
  const pattern = LOAD_PATTERNS.find((name) => name === patternText)
  if (!/^\d+$/.test(rateText) || !pattern) return undefined
  const rate = Math.min(Number(rateText), LOAD_RATES.at(-1) ?? 0)
  return rate > 0 ? { rate, pattern } : undefined
}

/**
 * Whether a load in the page's address may start without a click. Anyone can write an address, so it may only on an
 * in-memory chain of this page alone that asks no other host.
 */
export function mayActUnasked({
  chain,
  rpc,
  fork,
}: {
  chain: string | undefined
  rpc?: unknown
  fork?: unknown
}): boolean {
  return chain === undefined && (rpc ?? fork) === undefined
}
