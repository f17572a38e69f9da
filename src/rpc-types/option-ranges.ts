/** The values that a chain's options may have. */
export interface OptionRange {
  readonly min: number
  readonly max: number
  /** Fractions are allowed, and `min` itself is not. */
  readonly fractional?: boolean
}

/** Ranges of the numbers in `NodeOptions`, for those who ask a person for them. */
export const OPTION_RANGES = {
  chainId: { min: 1, max: 2 ** 32 - 1 },
  seed: { min: 0, max: 2 ** 32 - 1 },
  partialMs: { min: 10, max: 60_000 },
  partialsPerBlock: { min: 1, max: 100 },
  gasLimit: { min: 5_000_000, max: 2 ** 40 },
  baseFee: { min: 0, max: 2 ** 50 },
  minBaseFee: { min: 0, max: 2 ** 50 },
  baseFeeDenominator: { min: 1, max: 2 ** 32 - 1 },
  baseFeeElasticity: { min: 1, max: 1_000 },
  genesisTimestamp: { min: 0, max: 2 ** 32 - 1 },
  tickBudgetMs: { min: 1, max: 60_000 },
  safeDistance: { min: 0, max: 1_000_000 },
  finalizedDistance: { min: 0, max: 1_000_000 },
  speed: { min: 0, max: 100, fractional: true },
} as const satisfies Record<string, OptionRange>

export type RangedOption = keyof typeof OPTION_RANGES

/** The number that `text` spells in decimal, if a chain can run with it; else `undefined`. */
export function parseRangedOption(name: RangedOption, text: string): number | undefined {
  const { min, max, fractional }: OptionRange = OPTION_RANGES[name]
  if (!(fractional ? /^\d+(\.\d+)?$/ : /^\d+$/).test(text)) return undefined
  const value = Number(text)
  if (value > max) return undefined
  return (fractional ? value > min : value >= min) ? value : undefined
}

/** The range in words: `a whole number from 1 to 100`. */
export function rangeInWords(name: RangedOption): string {
  const { min, max, fractional }: OptionRange = OPTION_RANGES[name]
  return fractional ? `a number above ${min} and up to ${max}` : `a whole number from ${min} to ${max}`
}
