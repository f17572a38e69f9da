import { type Address, bytesToHex, type Hash, hexToBytes } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { shorten } from '#primitives/shorten.ts'
import { InvalidOptionError } from './invalid-option-error.ts'

/** Longest number in characters: 256 bits have 78 digits, and longer ones only take time to parse. */
const LONGEST_NUMBER = 100

/**
 * An address, in lower case, of 40 hex digits in any case.
 *
 * @param what - Names the option in the error.
 * @throws {InvalidOptionError} If it is invalid.
 */
export function parseAddressOption(value: unknown, what: string): Address {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)) return value.toLowerCase() as Address
  throw new InvalidOptionError(`${what} must be an address, 0x and 40 hex digits, not ${quote(value)}`)
}

/**
 * 1 to 100 visible ASCII characters.
 *
 * @param what - Names the option in the error.
 * @throws {InvalidOptionError} If it is not.
 */
export function parseNameOption(value: unknown, what: string): string {
  if (typeof value === 'string' && /^[!-~]{1,100}$/.test(value)) return value
  throw new InvalidOptionError(`${what} must be 1 to 100 ASCII characters without spaces, not ${quote(value)}`)
}

/**
 * A whole number: an exact JSON number, or a string in decimal or 0x hex.
 *
 * @param what - Names the option in the error.
 * @throws {InvalidOptionError} If it is invalid, or above `max`.
 */
export function parseBigOption(value: unknown, what: string, max: bigint): bigint {
  if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) {
    throw new InvalidOptionError(`${what} is too large for a JSON number: write it as a string, not ${quote(value)}`)
  }
  const exact = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  const spelt = typeof value === 'string' && value.length <= LONGEST_NUMBER && /^(0x[0-9a-f]+|\d+)$/i.test(value)
  if (!exact && !spelt) {
    throw new InvalidOptionError(`${what} must be a whole number, in decimal or as 0x hex, not ${quote(value)}`)
  }
  const number = BigInt(value)
  if (number <= max) return number
  throw new InvalidOptionError(`${what} must be at most ${max}, not ${quote(value)}`)
}

/**
 * Bytes of 0x hex.
 *
 * @param what - Names the option in the error.
 * @throws {InvalidOptionError} If they are none.
 */
export function parseBytesOption(value: unknown, what: string): Uint8Array {
  if (typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(value)) {
    return hexToBytes(value)
  }
  throw new InvalidOptionError(`${what} must be bytes, 0x and an even number of hex digits, not ${quote(value)}`)
}

/**
 * A 32-byte word of up to 64 hex digits, with or without 0x; shorter ones are padded with zeros on the left, as in
 * geth.
 *
 * @param what - Names the option in the error.
 * @throws {InvalidOptionError} If it is invalid.
 */
export function parseWordOption(value: unknown, what: string): Hash {
  const digits = typeof value === 'string' ? /^(?:0x)?([0-9a-f]{1,64})$/i.exec(value)?.[1] : undefined
  if (digits !== undefined) return bytesToHex(hexToBytes(`0x${digits.padStart(64, '0')}`))
  throw new InvalidOptionError(`${what} must be a word of up to 64 hex digits, not ${quote(value)}`)
}

/** The value as JSON, short enough for a sentence. */
export function quote(value: unknown): string {
  return shorten(spell(value))
}

function spell(value: unknown): string {
  try {
    if (typeof value === 'bigint') return `${value}n`
    // The library's callers may have more than JSON.
    const spelt = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item))
    return spelt ?? String(value)
  } catch (error) {
    if (error instanceof TypeError) return 'a value that JSON cannot have'
    // Only too deep nesting makes JSON impossible to serialize again.
    if (!(error instanceof RangeError)) throw error
    return 'lists or objects within each other, too deep to be read'
  }
}

/**
 * The members of an object.
 *
 * @param what - Names the option in the error.
 * @throws {InvalidOptionError} If it is invalid.
 */
export function membersOf(value: unknown, what: string): readonly (readonly [name: string, value: unknown])[] {
  if (isObject(value)) return Object.entries(value)
  throw new InvalidOptionError(`${what} must be an object, not ${quote(value)}`)
}
