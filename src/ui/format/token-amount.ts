import { formatInteger } from './numbers.ts'

/** Decimals shown of an amount. */
const SHOWN = 6
/** More decimals than any word has digits say nothing about an amount. */
const MOST_DECIMALS = 77

/**
 * A token's amount by its decimals, with at most six of them, rounded down. What would be 0 that way is shown as a bound.
 *
 * @param value - In the token's smallest unit.
 * @param decimals - As the token says; `undefined` if it does not.
 */
export function formatTokenAmount(value: bigint, decimals = 0): string {
  if (decimals === 0 || decimals > MOST_DECIMALS) return formatInteger(value)
  const one = 10n ** BigInt(decimals)
  const digits = (value % one).toString().padStart(decimals, '0').slice(0, SHOWN)
  if (value > 0n && value < one && /^0+$/.test(digits)) return `<0.${'1'.padStart(digits.length, '0')}`
  const fraction = digits.replace(/0+$/, '')
  return `${formatInteger(value / one)}${fraction && `.${fraction}`}`
}
