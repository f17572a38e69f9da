import { momentSeconds } from '#primitives/unix-time.ts'

/** The range of a chain's option, and its default. */
export interface OptionRange {
  readonly min: number
  readonly max: number
  readonly default: number
  /** Fractions are allowed, and `min` itself is not. */
  readonly fractional?: boolean
  /** A moment in seconds since the Unix epoch, which may be given in milliseconds. */
  readonly isMoment?: boolean
}

/**
 * Ranges and defaults of the numbers in `NodeOptions`, for the node, the command line and the page. The default of
 * `baseFee` and of the two distances moves where the other option of the pair leaves no room for it (`createSpec`).
 */
export const OPTION_RANGES = {
  chainId: { min: 1, max: 2 ** 32 - 1, default: 31337 },
  seed: { min: 0, max: 2 ** 32 - 1, default: 1 },
  partialMs: { min: 10, max: 60_000, default: 200 },
  partialsPerBlock: { min: 1, max: 100, default: 10 },
  codeSizeLimit: { min: 1, max: 2 ** 24, default: 24_576 },
  gasLimit: { min: 5_000, max: 2 ** 40, default: 400_000_000 },
  baseFee: { min: 0, max: 2 ** 50, default: 1_000_000_000 },
  minBaseFee: { min: 0, max: 2 ** 50, default: 5_000_000 },
  suggestedTip: { min: 0, max: 2 ** 50, default: 1_000_000_000 },
  baseFeeDenominator: { min: 1, max: 2 ** 32 - 1, default: 250 },
  baseFeeElasticity: { min: 1, max: 1_000, default: 6 },
  // On a manual clock: 2025-01-01 00:00:00 UTC, so that its hashes repeat.
  genesisTimestamp: { min: 0, max: 2 ** 32 - 1, default: 1_735_689_600, isMoment: true },
  tickBudgetMs: { min: 1, max: 60_000, default: 120 },
  safeDistance: { min: 0, max: 1_000_000, default: 32 },
  finalizedDistance: { min: 0, max: 1_000_000, default: 64 },
  speed: { min: 0, max: 100, default: 1, fractional: true },
} as const satisfies Record<string, OptionRange>

export type RangedOption = keyof typeof OPTION_RANGES

/** The number that `text` spells in decimal, if a chain can run with it; else `undefined`. */
export function parseRangedOption(name: RangedOption, text: string): number | undefined {
  const { min, max, fractional, isMoment }: OptionRange = OPTION_RANGES[name]
  if (!(fractional ? /^\d+(\.\d+)?$/ : /^\d+$/).test(text)) return undefined
  const value = isMoment ? momentSeconds(Number(text)) : Number(text)
  if (value > max) return undefined
  return (fractional ? value > min : value >= min) ? value : undefined
}

/** The range in words: `a whole number from 1 to 100`. */
export function rangeInWords(name: RangedOption): string {
  const { min, max, fractional }: OptionRange = OPTION_RANGES[name]
  return fractional ? `a number above ${min} and up to ${max}` : `a whole number from ${min} to ${max}`
}
