import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { utf8 } from '#primitives/utf8.ts'
import { checksumAddress } from './keccak.ts'

/**
 * Longest `string` or `bytes` that is read and shown as text, in bytes, and longest text of an array or a struct, in
 * characters.
 */
export const TEXT_LIMIT = 4_096

/** A type whose value is one word. */
export interface WordType {
  /** `function`: a pointer to one, external or internal. */
  readonly kind: 'address' | 'bool' | 'enum' | 'int' | 'uint' | 'bytes' | 'function'
  /** In bits; in bytes for `bytes` and `function`. */
  readonly size: number
  /** Names of an enum's values; empty if they are not known. */
  readonly names: readonly string[]
}

/** The type of one word that an ABI calls so; `undefined` for any other. A function is left-aligned there, as bytes are. */
export function elementaryType(name: string): WordType | undefined {
  if (name === 'address' || name === 'address payable') return { kind: 'address', size: 160, names: [] }
  if (name === 'bool') return { kind: 'bool', size: 1, names: [] }
  if (name === 'function') return { kind: 'bytes', size: 24, names: [] }
  const [, kind, size] = /^(u?int|bytes)(\d{0,3})$/.exec(name) ?? []
  if (kind === undefined || (kind === 'bytes' && size === '')) return undefined
  return { kind: kind as 'int' | 'uint' | 'bytes', size: Number(size || '256'), names: [] }
}

/** Whether a word has no other bits than those of a value of the type. */
export function isClean({ kind, size }: WordType, word: Uint8Array): boolean {
  if (kind === 'bytes') return word.subarray(size).every((byte) => byte === 0)
  const value = bytesToBigInt(word)
  if (kind !== 'int') return BigInt.asUintN(size, value) === value
  const signed = BigInt.asIntN(256, value)
  return BigInt.asIntN(size, signed) === signed
}

/**
 * The value of a word as text: numbers in decimal, addresses with checksum, values of enums by name. Only the value's own
 * bits count: the compiler cleans the others of a word on the stack when it uses it, and no earlier.
 */
export function wordText({ kind, size, names }: WordType, word: Uint8Array): string {
  if (kind === 'address') return checksumAddress(bytesToHex(word.subarray(12)))
  if (kind === 'bytes') return bytesToHex(word.subarray(0, size))
  if (kind === 'function') return bytesToHex(word.subarray(32 - size))
  const value = bytesToBigInt(word)
  if (kind === 'bool') return value === 0n ? 'false' : 'true'
  if (kind === 'int') return BigInt.asIntN(size, value).toString()
  const clean = BigInt.asUintN(size, value)
  return (kind === 'enum' ? names[Number(clean)] : undefined) || clean.toString()
}

/**
 * The content of a `string`, in quotes, or of `bytes`, in hex.
 *
 * @param shown - Its first bytes, at most {@link TEXT_LIMIT}.
 * @param length - How many it has.
 */
export function contentText(isString: boolean, shown: Uint8Array, length: number | bigint = shown.length): string {
  return withRest(
    isString ? JSON.stringify(utf8.decode(shown)) : bytesToHex(shown),
    BigInt(length) - BigInt(shown.length),
  )
}

/** A text that says how many bytes it does not show. */
export function withRest(text: string, rest: number | bigint): string {
  return rest > 0 ? `${text}… (${rest} more bytes)` : text
}

/** The text of an array or a struct, shortened to its limit. */
export function cut(text: string): string {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text
}
