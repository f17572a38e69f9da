/** An argument of `console.log`. */
export interface ConsoleValue {
  readonly text: string
  /** The value of a number; `undefined` for other types. */
  readonly number: bigint | undefined
  readonly isText: boolean
}

/**
 * The printed line. If the first of several arguments is a string, its specifiers take the next arguments; the rest follow,
 * separated by spaces. `%s %d %i %f %o %O %j` are Hardhat's (Node.js' `util.format`), `%x`, `%e` and `%18e` Foundry's. Where
 * they differ, we print what shows more: `%d` of a string is the string (Hardhat), not `NaN` (Foundry).
 */
export function formatConsoleValues(values: readonly ConsoleValue[]): string {
  const [first, ...rest] = values
  if (!first?.isText || rest.length === 0) return values.map(({ text }) => text).join(' ')
  let taken = 0
  const head = first.text.replaceAll(/%([%sdifoOjxe]|\d{1,2}e)/g, (specifier, letter: string) => {
    if (letter === '%') return '%'
    const value = rest[taken]
    if (!value) return specifier
    taken++
    return formatValue(value, letter)
  })
  const tail = rest.slice(taken).map(({ text }) => text)
  return (head === '' ? tail : [head, ...tail]).join(' ')
}

function formatValue({ text, number, isText }: ConsoleValue, letter: string): string {
  if (number !== undefined && letter === 'x') return `0x${BigInt.asUintN(256, number).toString(16)}`
  if (number !== undefined && letter === 'e') return exponential(number)
  if (number !== undefined && letter.endsWith('e')) return withDecimals(number, Number.parseInt(letter, 10))
  if (isText && letter.toLowerCase() === 'o') return `'${text}'`
  if (isText && letter === 'j') return JSON.stringify(text)
  return text
}

/** Scientific notation with all digits: `1.0023e6`. A `number` would round. */
function exponential(number: bigint): string {
  const sign = number < 0n ? '-' : ''
  const digits = number.toString().slice(sign.length)
  const decimals = digits.slice(1).replace(/0+$/, '')
  return `${sign}${digits.slice(0, 1)}${decimals === '' ? '' : `.${decimals}`}e${digits.length - 1}`
}

/** A number with its last digits behind a point: 1230000 with 18 of them is `0.00000000000123`. */
function withDecimals(number: bigint, decimals: number): string {
  const sign = number < 0n ? '-' : ''
  const digits = number
    .toString()
    .slice(sign.length)
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const rest = digits.slice(whole.length).replace(/0+$/, '')
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`
}
