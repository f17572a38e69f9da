import { type Address, type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'
import { hexToSharedBytes } from '#primitives/shared-bytes.ts'
import { cannotUnmarshal, type Param, ParamError } from './param.ts'

/** A text is not a valid hexadecimal number or byte string; the messages are geth's. */
export class HexTextError extends Error {
  override readonly name = 'HexTextError'
}

const PREFIX = /^0x/i
const DIGITS = /^[0-9a-f]*$/i

/**
 * Lower-case digits of a byte string, without its prefix. An empty text is no bytes, as in geth.
 *
 * @throws {HexTextError} If it is invalid.
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
 * Parses bytes.
 *
 * @param read - Parses valid text, and throws a `RangeError` otherwise.
 * @throws {HexTextError} As in {@link byteDigits}.
 */
function bytesOf(text: string, read: (hex: string) => Uint8Array = hexToBytes): Uint8Array {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // An empty text or another prefix; otherwise this throws the exact error.
    return hexToBytes(`0x${byteDigits(text)}`)
  }
}

/**
 * Parses a quantity.
 *
 * @param bits - The most bits it may have.
 * @throws {HexTextError} If it is invalid.
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

/** Go's name for a value: on its own, or as a field of an object. */
const goValue = (type: string, field?: string) =>
  field === undefined ? `value of type ${type}` : `struct field ${field} of type ${type}`

function textOf(value: unknown, place: string): string {
  if (typeof value !== 'string') throw cannotUnmarshal('non-string', place)
  return value
}

function reading<Value>(place: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof HexTextError)) throw error
    throw cannotUnmarshal(error.message, place)
  }
}

/**
 * Bytes of a fixed length, lower-case.
 *
 * @param field - The field it is in, such as `TransactionArgs.to`.
 */
export function parseFixed(value: unknown, bytes: number, type: string, field?: string): Hex {
  const place = goValue(type, field)
  const text = textOf(value, place)
  const digits = reading(place, () => byteDigits(text))
  if (digits.length === 2 * bytes) return `0x${digits}`
  throw new ParamError(`hex string has length ${digits.length}, want ${2 * bytes} for ${type}`)
}

/** 20 bytes, lower-case. */
export function parseAddress(value: unknown, field?: string): Address {
  return parseFixed(value, 20, 'common.Address', field)
}

/** 32 bytes, lower-case. */
export function parseHash(value: unknown, field?: string): Hash {
  return parseFixed(value, 32, 'common.Hash', field)
}

/** Any number of bytes. */
export function parseData(value: unknown, field?: string, read?: (hex: string) => Uint8Array): Uint8Array {
  const place = goValue('hexutil.Bytes', field)
  const text = textOf(value, place)
  return reading(place, () => bytesOf(text, read))
}

/** A quantity of at most 256 bits. */
export function parseBig(value: unknown, field?: string): bigint {
  const place = goValue('*hexutil.Big', field)
  const text = textOf(value, place)
  return reading(place, () => quantityValue(text, 256))
}

/** A quantity of at most 64 bits. */
export function parseUint64(value: unknown, field?: string): bigint {
  return parseUint(value, 'hexutil.Uint64', field)
}

function parseUint(value: unknown, type: string, field?: string): bigint {
  const place = goValue(type, field)
  const text = textOf(value, place)
  return reading(place, () => quantityValue(text, 64))
}

/** An account's address, in either case. */
export const address: Param<Address> = { parse: (value) => parseAddress(value) }
/** A 32-byte hash. */
export const hash: Param<Hash> = { parse: (value) => parseHash(value) }
/** Bytes. */
export const data: Param<Uint8Array> = { parse: (value) => parseData(value) }
/** A signed transaction's bytes. */
export const rawTransaction: Param<Uint8Array> = { parse: (value) => parseData(value, undefined, hexToSharedBytes) }
/** An index in a list; where it is no longer exact, it is far beyond every list. */
export const index: Param<number> = { parse: (value) => Number(parseUint(value, 'hexutil.Uint')) }
