import { momentSeconds } from '#primitives/unix-time.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { NumberKind, OptionKind } from '#rpc-types/option.ts'
import { OPTION_RANGES, rangeInWords } from '#rpc-types/option-ranges.ts'
import { OPTION_KINDS, type RangedOption } from '#rpc-types/option-tables.derived.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { membersOf, parseAddressOption, parseNameOption, quote } from './parse-option.ts'

/**
 * Checks JSON from a caller or a file: that it only names options, and that each has a value of its kind. The accounts are
 * checked where they are made.
 *
 * @throws {InvalidOptionError} The message names the option.
 */
export function checkOptions(value: unknown): asserts value is NodeOptions {
  for (const [name, given] of membersOf(value, 'options')) {
    if (!Object.hasOwn(OPTION_KINDS, name)) throw new InvalidOptionError(`there is no option ${quote(name)}`)
    if (given !== undefined) checkOption(name as keyof NodeOptions, given)
  }
}

function checkOption(name: keyof NodeOptions, given: unknown): void {
  const kind: OptionKind = OPTION_KINDS[name]
  switch (kind.is) {
    case 'number':
      if (isWithin(kind, given)) return
      throw new InvalidOptionError(`${name} must be ${rangeInWords(name as RangedOption)}, not ${quote(given)}`)
    case 'word': {
      const { words, orMoment } = kind
      if (words.some((word) => word === given) || (orMoment && isWithin(OPTION_RANGES.genesisTimestamp, given))) return
      const others = orMoment ? [rangeInWords('genesisTimestamp')] : []
      throw new InvalidOptionError(`${name} must be ${[...words, ...others].join(' or ')}, not ${quote(given)}`)
    }
    case 'switch':
      if (typeof given === 'boolean') return
      throw new InvalidOptionError(`${name} must be true or false, not ${quote(given)}`)
    case 'name':
      parseNameOption(given, name)
      return
    case 'address':
      parseAddressOption(given, name)
      return
    case 'accounts':
    case 'genesis':
    case 'balances':
      return
    default:
      kind satisfies never
  }
}

function isWithin({ min, max, fractional, isMoment }: NumberKind, given: unknown): boolean {
  if (typeof given !== 'number') return false
  if (fractional) return given > min && given <= max
  const value = isMoment ? momentSeconds(given) : given
  return Number.isSafeInteger(given) && value >= min && value <= max
}
