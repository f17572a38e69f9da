import type { Quantity } from '#primitives/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'

const WORD_DIGITS = 64
const LARGEST = 1n << 256n
/** Numbers this close to 0, or to 2^256 below it, are shown as decimals. */
const SMALL = 1n << 64n
/** Numbers whose hexadecimal and decimal digits are the same. */
const ONE_DIGIT = 10n
/** The shortest text that is recognised, in bytes. */
const SHORTEST_TEXT = 3

/** What a word of the stack or the storage may mean: a number or a text; `undefined` if its digits say it all. */
export function wordHint(word: Quantity): string | undefined {
  const value = BigInt(word)
  if (value < ONE_DIGIT) return undefined
  if (value < SMALL) return formatInteger(value)
  if (LARGEST - value <= SMALL) return `−${formatInteger(LARGEST - value)}`
  return textOf(word)
}

/** A short text as Solidity keeps it: characters, then zeros. */
function textOf(word: Quantity): string | undefined {
  const digits = word.slice(2)
  if (digits.length !== WORD_DIGITS) return undefined
  const bytes = digits.match(/../g) ?? []
  const end = bytes.findIndex((pair) => !isLetter(pair))
  const length = end === -1 ? bytes.length : end
  // In storage the last byte has the length.
  const isPadded = bytes.slice(length, -1).every((pair) => pair === '00')
  if (length < SHORTEST_TEXT || !isPadded) return undefined
  return `“${String.fromCharCode(...bytes.slice(0, length).map((pair) => Number.parseInt(pair, 16)))}”`
}

function isLetter(pair: string): boolean {
  const code = Number.parseInt(pair, 16)
  return code >= 0x20 && code < 0x7f
}
