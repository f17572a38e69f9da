import { findDevAccount } from '#client/signing/dev-accounts.ts'
import { formatEth, formatGwei, formatInteger, formatTimestamp } from '#ui/format/numbers.ts'

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,62})$/
/** A 32-byte word that is a number rather than a hash, since half of it is zeros. */
const SMALL_WORD = /^0x0{32}[0-9a-f]{32}$/
const ADDRESS = /^0x[0-9a-f]{40}$/i
/** From here on an amount is probably wei, not a count. */
const LIKELY_WEI = 10n ** 14n

/**
 * A hint for a hexadecimal value: a decimal number, a time, an amount or an account's name; `undefined` if there is
 * nothing to add.
 *
 * @param name - Name of its field.
 */
export function valueHint(value: string, name: string | undefined): string | undefined {
  const account = ADDRESS.test(value) ? findDevAccount(value)?.name : undefined
  if (account !== undefined || ADDRESS.test(value)) return account
  if (!QUANTITY.test(value) && !SMALL_WORD.test(value)) return undefined
  const number = BigInt(value)
  const decimal = formatInteger(number)
  if (name !== undefined && /timestamp$/i.test(name) && number < 10n ** 11n) {
    return `${decimal} · ${formatTimestamp(Number(number))}`
  }
  if (name !== undefined && /(price|fee|feePerGas)$/i.test(name)) return `${decimal} wei · ${formatGwei(number)}`
  if (name !== undefined && /^(value|balance|wei)$/i.test(name)) return `${decimal} wei · ${formatEth(number)}`
  return number >= LIKELY_WEI && name === undefined ? `${decimal} · as wei ${formatEth(number)}` : decimal
}
