import { hexToBytes } from '#primitives/hex.ts'

/** Text that is not the hexadecimal number or byte string it should be; the messages are geth's. */
export class HexTextError extends Error {
  override readonly name = 'HexTextError'
}

const PREFIX = /^0x/i
const DIGITS = /^[0-9a-f]*$/i

/**
 * Lower-case digits of a byte string, without its prefix.
 *
 * @throws {HexTextError} If it is none. An empty text is no bytes, as in geth.
 */
export function byteDigits(text: string): string {
  if (text === '') return ''
  if (!PREFIX.test(text)) throw new HexTextError('hex string without 0x prefix')
  const digits = text.slice(2)
  if (digits.length % 2 !== 0) throw new HexTextError('hex string of odd length')
  if (!DIGITS.test(digits)) throw new HexTextError('invalid hex string')
  return digits.toLowerCase()
}

/**
 * The bytes that a text spells.
 *
 * @param read - What reads it where it is as it should be, and throws a `RangeError` where not.
 * @throws {HexTextError} As {@link byteDigits}.
 */
export function bytesOf(text: string, read: (hex: string) => Uint8Array = hexToBytes): Uint8Array {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // An empty text, another prefix: or it says what is wrong.
    return hexToBytes(`0x${byteDigits(text)}`)
  }
}

/**
 * The number that a quantity spells.
 *
 * @param bits - The most that it may have.
 * @throws {HexTextError} If it is none.
 */
export function quantityValue(text: string, bits: 64 | 256): bigint {
  if (text === '') throw new HexTextError('empty hex string')
  if (!PREFIX.test(text)) throw new HexTextError('hex string without 0x prefix')
  const digits = text.slice(2)
  if (digits === '') throw new HexTextError('hex string "0x"')
  if (digits.length > 1 && digits.startsWith('0')) throw new HexTextError('hex number with leading zero digits')
  if (!DIGITS.test(digits)) throw new HexTextError('invalid hex string')
  if (digits.length * 4 > bits) throw new HexTextError(`hex number > ${bits} bits`)
  return BigInt(`0x${digits}`)
}
