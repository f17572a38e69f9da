import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex } from '#primitives/hex.ts'

/** Bytes of an error's selector. */
export const SELECTOR_BYTES = 4
const WORD_BYTES = 32
/** `Error(string)`. */
const ERROR_SELECTOR = '0x08c379a0'
/** `Panic(uint256)`. */
const PANIC_SELECTOR = '0x4e487b71'

/** Geth's text for each panic code of Solidity. */
const PANIC_REASONS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
])

/** What revert data says. */
export type RevertMeaning =
  | { readonly kind: 'none' }
  /** `Error(string)`. */
  | { readonly kind: 'reason'; readonly reason: string }
  /** `Panic(uint256)`. */
  | { readonly kind: 'panic'; readonly code: bigint }
  /** A custom error, or malformed data. */
  | { readonly kind: 'other' }

/** Reads revert data. */
export function readRevert(output: Uint8Array): RevertMeaning {
  if (output.length === 0) return { kind: 'none' }
  const selector = bytesToHex(output.subarray(0, SELECTOR_BYTES))
  const body = output.subarray(SELECTOR_BYTES)
  if (selector === PANIC_SELECTOR && body.length >= WORD_BYTES) {
    return { kind: 'panic', code: bytesToBigInt(body.subarray(0, WORD_BYTES)) }
  }
  const reason = selector === ERROR_SELECTOR ? decodeString(body) : undefined
  return reason === undefined ? { kind: 'other' } : { kind: 'reason', reason }
}

/**
 * The reason in revert data: the text of `Error(string)`, or the meaning of the code in `Panic(uint256)`.
 *
 * @returns `undefined` for custom errors, no data and malformed data.
 */
export function decodeRevertReason(output: Uint8Array): string | undefined {
  const revert = readRevert(output)
  if (revert.kind === 'reason') return revert.reason
  if (revert.kind !== 'panic') return undefined
  return PANIC_REASONS.get(revert.code) ?? `unknown panic code: 0x${revert.code.toString(16)}`
}

/** Decodes the ABI's `(string)`; `undefined` if it points outside the data. */
export function decodeString(body: Uint8Array): string | undefined {
  const offset = readLength(body, 0)
  if (offset === undefined) return undefined
  const length = readLength(body, offset)
  if (length === undefined || offset + WORD_BYTES + length > body.length) return undefined
  return decodeUtf8(body.subarray(offset + WORD_BYTES, offset + WORD_BYTES + length))
}

/** A word with a length or offset in `body`; `undefined` if it is missing or too large. */
function readLength(body: Uint8Array, at: number): number | undefined {
  if (at + WORD_BYTES > body.length) return undefined
  const value = bytesToBigInt(body.subarray(at, at + WORD_BYTES))
  return value > BigInt(body.length) ? undefined : Number(value)
}

/** Decodes UTF-8. If it is malformed, every non-ASCII byte becomes U+FFFD. */
function decodeUtf8(bytes: Uint8Array): string {
  let escaped = ''
  for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, '0')}`
  try {
    return decodeURIComponent(escaped)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : '\ufffd')).join('')
  }
}
