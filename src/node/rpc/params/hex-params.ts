import { type Address, type Hash, type Hex } from '#primitives/hex.ts'
import { hexToSharedBytes } from '#primitives/shared-bytes.ts'
import { byteDigits, bytesOf, HexTextError, quantityValue } from './hex-text.ts'
import { cannotUnmarshal } from './json-type.ts'
import { type Param, ParamError } from './param.ts'

/** How Go's decoder names the place of a value: on its own, or a field of an object. */
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

/** Bytes of a fixed length, lower-case. @param field - `TransactionArgs.to`, where it is part of an object. */
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
/** A signed transaction: bytes, together with others'. */
export const rawTransaction: Param<Uint8Array> = { parse: (value) => parseData(value, undefined, hexToSharedBytes) }
/** A position in a list; far beyond every list where it is not exact. */
export const index: Param<number> = { parse: (value) => Number(parseUint(value, 'hexutil.Uint')) }
