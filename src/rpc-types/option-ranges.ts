import { type NumberKind, numberInWords, parseNumber } from './option.ts'
import { OPTION_KINDS, type RangedOption } from './option-tables.derived.ts'

/** Ranges and defaults of the options that are numbers. */
export const OPTION_RANGES: Readonly<Record<RangedOption, NumberKind>> = OPTION_KINDS

/** The number that `text` spells in decimal, if a chain can run with it; else `undefined`. */
export function parseRangedOption(name: RangedOption, text: string): number | undefined {
  return parseNumber(OPTION_RANGES[name], text)
}

/** The range in words: `a whole number from 1 to 100`. */
export function rangeInWords(name: RangedOption): string {
  return numberInWords(OPTION_RANGES[name])
}
