import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { type DecodedValue, decodeValues } from '#solidity/abi/decode.ts'
import { signatureOf } from '#solidity/abi/signature.ts'
import type { AbiEntry } from '#solidity/build/build.ts'
import { selectorOf } from '#solidity/keccak.ts'

export type FailureKind =
  /** `require` or `revert` with a reason. */
  | 'reason'
  | 'custom-error'
  | 'panic'
  /** Reverted without data. */
  | 'bare'
  /** Reverted with data that is no error of a known contract. */
  | 'unknown-error'
  | 'out-of-gas'
  | 'non-contract'
  | 'not-payable'
  | 'unknown-function'
  | 'no-receive'
  | 'direct-library-call'
  | 'invalid-arguments'
  | 'invalid-return-data'
  | 'insufficient-balance'
  | 'call-depth'
  | 'creation'
  | 'code-size'
  | 'write-protection'
  | 'invalid-opcode'
  /** Anything else, in the node's words. */
  | 'other'

/** A custom error with its arguments. */
export interface DecodedError {
  readonly name: string
  /** `InsufficientBalance(uint256,uint256)`. */
  readonly signature: string
  readonly args: readonly DecodedValue[]
}

/** Why an execution failed. */
export interface Failure {
  readonly kind: FailureKind
  /** For people, without a full stop: `arithmetic overflow`, `too small`. */
  readonly message: string
  /** Only for `custom-error`. */
  readonly error: DecodedError | undefined
  /** Only for `panic`. */
  readonly panicCode: number | undefined
  /** Revert data. */
  readonly data: Hex
}

/** @see {@link https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require | Panics} */
const PANICS: Readonly<Record<number, string>> = {
  0x00: 'a panic that the compiler inserted',
  0x01: 'assertion failed',
  0x11: 'arithmetic overflow or underflow',
  0x12: 'division or modulo by zero',
  0x21: 'a number outside the enum was converted to it',
  0x22: 'a byte array in storage is encoded wrongly',
  0x31: 'pop on an empty array',
  0x32: 'array index out of bounds',
  0x41: 'too much memory was allocated, or an array too large was created',
  0x51: 'a variable with an internal function was called before it was set',
}

/** @param kind - Any kind without further fields. */
export function failure(kind: FailureKind, message: string, data: Hex = '0x'): Failure {
  return { kind, message, error: undefined, panicCode: undefined, data }
}

const ERROR_STRING = '0x08c379a0'
const PANIC = '0x4e487b71'
const WORD = 32

/**
 * Reads revert data.
 *
 * @param errorsOf - ABI entries, in order of preference: the first error that matches wins.
 */
export function failureOfData(data: Hex, abis: Iterable<readonly AbiEntry[]>): Failure {
  if (data === '0x') return failure('bare', 'reverted without a reason')
  const bytes = hexToBytes(data)
  const args = bytes.subarray(4)
  const selector = data.slice(0, 10)
  if (selector === ERROR_STRING) {
    const [text] = decodeValues([{ name: '', type: 'string' }], args) ?? []
    if (text)
      return failure('reason', (JSON.parse(endOf(text.text)) as string) || 'reverted with an empty reason', data)
  }
  if (selector === PANIC && args.length === WORD) {
    const code = Number(bytesToBigInt(args))
    const message = PANICS[code] ?? `panic ${code}`
    return { kind: 'panic', message, error: undefined, panicCode: code, data }
  }
  for (const abi of abis) {
    const error = errorIn(abi, selector, args)
    if (error) {
      const message = `${error.name}(${error.args.map(({ name, text }) => (name ? `${name}: ${text}` : text)).join(', ')})`
      return { kind: 'custom-error', message, error, panicCode: undefined, data }
    }
  }
  const shown = bytes.length > WORD ? `${bytesToHex(bytes.subarray(0, WORD))}… (${bytes.length} bytes)` : data
  return failure('unknown-error', `reverted with data that no known contract explains: ${shown}`, data)
}

/** A string in quotes, without the note about its length. */
function endOf(text: string): string {
  return text.endsWith('"') ? text : text.slice(0, text.lastIndexOf('"') + 1)
}

const SELECTORS = new WeakMap<AbiEntry, string>()

/** Selector of a function or an error. */
export function abiSelector(entry: AbiEntry): string {
  const known = SELECTORS.get(entry)
  if (known !== undefined) return known
  const selector = selectorOf(signatureOf(entry.name ?? '', entry.inputs))
  SELECTORS.set(entry, selector)
  return selector
}

function errorIn(abi: readonly AbiEntry[], selector: string, bytes: Uint8Array): DecodedError | undefined {
  for (const entry of abi) {
    if (entry.type !== 'error' || abiSelector(entry) !== selector) continue
    const args = decodeValues(entry.inputs, bytes)
    if (args) return { name: entry.name ?? '', signature: signatureOf(entry.name ?? '', entry.inputs), args }
  }
  return undefined
}

/** Failures other than reverts, by the beginning of geth's message. */
const WORDS: readonly (readonly [start: string, kind: FailureKind, message: string])[] = [
  ['out of gas', 'out-of-gas', 'out of gas'],
  ['contract creation code storage out of gas', 'out-of-gas', 'out of gas while the new contract’s code was stored'],
  ['gas uint64 overflow', 'out-of-gas', 'out of gas'],
  ['max code size exceeded', 'code-size', 'the code of the new contract is too large'],
  ['max initcode size exceeded', 'code-size', 'the initcode is too large'],
  ['insufficient balance for transfer', 'insufficient-balance', 'the balance is too low for the value that is sent'],
  ['max call depth exceeded', 'call-depth', 'calls are nested too deeply'],
  ['write protection', 'write-protection', 'state was changed within a static call'],
  ['contract address collision', 'creation', 'there is a contract at the new address already'],
  ['invalid code: must not begin with 0xef', 'creation', 'the new contract’s code begins with 0xef'],
  ['nonce uint64 overflow', 'creation', 'the nonce of the creating account is at its maximum'],
  ['invalid opcode', 'invalid-opcode', 'invalid opcode'],
]

/** A failure that is not a revert. @param error - geth's message. */
export function failureOfError(error: string): Failure {
  const [, kind, message] = WORDS.find(([start]) => error.startsWith(start)) ?? []
  return kind === undefined || message === undefined ? failure('other', error) : failure(kind, message)
}
