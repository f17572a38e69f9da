import { parseGwei } from 'viem'
import type { Address, Hex } from '#primitives/hex.ts'
import { parseAmount, parseRecipient } from '#ui/own/transfer-form.ts'
import { encodeCall, parseSignature } from './call-data.ts'
import type { Draft, DraftKind, DraftType } from './draft.ts'

/** The parsed draft; the page fills in what is `undefined`. */
export interface Composition {
  /** `null` for a new contract. */
  readonly to: Address | null
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
  readonly type: DraftType
  readonly nonce: number | undefined
  readonly gas: bigint | undefined
  /** Wei per gas; for types 0 and 1 the gas price. */
  readonly feeCap: bigint | undefined
  /** Wei per gas; types 2 and 4 only. */
  readonly tip: bigint | undefined
  readonly copies: number
  /** Type 4 only. */
  readonly delegation?: Delegation | undefined
}

/** An authorization to sign: the account that delegates to another's code (EIP-7702). */
export interface Delegation {
  /** Index of a development account; `undefined` for the sender. */
  readonly authority: number | undefined
  /** The contract to whose code it delegates. */
  readonly code: Address
}

export type DraftErrors = Partial<Record<Exclude<keyof Draft, 'args'>, string>> & {
  readonly args?: readonly (string | undefined)[]
}

export type DraftResult =
  | { readonly ok: true; readonly composition: Composition }
  | { readonly ok: false; readonly errors: DraftErrors }

/** Most transactions sent with one press. */
export const MAX_COPIES = 100

const BYTES = /^0x([0-9a-fA-F]{2})*$/
/** The error for a text that is not hex bytes. */
export const NOT_BYTES = 'Not bytes. Enter 0x and two hexadecimal digits for each byte.'
const MAX_GAS = 2n ** 64n - 1n

/** Parses the typed fields. Each error says what is wrong and what to type instead. */
export function readDraft(kind: Exclude<DraftKind, 'raw'>, draft: Draft): DraftResult {
  const errors: Errors = {}
  const target = readTarget(kind, draft, errors)
  const valueField = kind === 'transfer' ? 'value' : 'callValue'
  const value = parseAmount(draft[valueField].trim())
  if (typeof value === 'string') errors[valueField] = value
  const nonce = readInteger(draft.nonce, BigInt(Number.MAX_SAFE_INTEGER), 'nonce', errors)
  const gas = readInteger(draft.gas, MAX_GAS, 'gas', errors)
  const copies = readInteger(draft.copies, BigInt(MAX_COPIES), 'copies', errors)
  if (!errors.copies && (copies ?? 0n) < 1n) errors.copies = `Enter a number from 1 to ${MAX_COPIES}.`
  const feeCap = readFee(draft.feeCap, 'feeCap', errors)
  const tip = hasTip(draft.type) ? readFee(draft.tip, 'tip', errors) : undefined
  if (tip !== undefined && feeCap !== undefined && tip > feeCap) {
    errors.tip = 'The fee cap includes the tip. Lower the tip, or raise the fee cap.'
  }
  const delegation = draft.type === '4' ? readDelegation(draft, errors) : undefined
  if (draft.type === '4' && kind === 'deploy')
    errors.type = 'A type 4 transaction cannot deploy a contract. Choose another type.'
  if (Object.keys(errors).length > 0 || typeof value === 'string') return { ok: false, errors }
  return {
    ok: true,
    composition: {
      ...target,
      value,
      type: draft.type,
      nonce: nonce === undefined ? undefined : Number(nonce),
      gas,
      feeCap,
      tip,
      copies: Number(copies),
      delegation,
    },
  }
}

/** Whether a type has a fee cap and a tip, rather than one gas price. */
export function hasTip(type: DraftType): boolean {
  return type === '2' || type === '4'
}

function readDelegation({ authority, delegate }: Draft, errors: Errors): Delegation | undefined {
  const code = readAddress(delegate, 'delegate', errors)
  return code ? { authority: authority === '' ? undefined : Number(authority), code } : undefined
}

type Errors = { -readonly [Name in keyof DraftErrors]: DraftErrors[Name] }

function readTarget(kind: Exclude<DraftKind, 'raw'>, draft: Draft, errors: Errors): Pick<Composition, 'to' | 'data'> {
  if (kind === 'deploy') {
    const bytecode = readBytes(draft.bytecode, 'bytecode', errors)
    const constructorArgs = readBytes(draft.constructorArgs, 'constructorArgs', errors)
    if (bytecode === '0x') errors.bytecode ??= 'Enter the contract’s bytecode from the compiler.'
    return { to: null, data: `${bytecode}${constructorArgs.slice(2)}` as Hex }
  }
  if (kind === 'transfer') return { to: readAddress(draft.to, 'to', errors), data: '0x' }
  return { to: readAddress(draft.contract, 'contract', errors), data: readCallData(draft, errors) }
}

function readAddress(text: string, field: 'to' | 'contract' | 'delegate', errors: Errors): Address | null {
  const parsed = parseRecipient(text.trim())
  if (parsed.ok) return parsed.address
  errors[field] = field !== 'to' && text.trim() === '' ? 'Enter the address of the contract.' : parsed.error
  return null
}

function readCallData(draft: Draft, errors: Errors): Hex {
  if (draft.dataBy === 'bytes') return readBytes(draft.data, 'data', errors)
  const signature = parseSignature(draft.signature)
  if (!signature.ok) {
    errors.signature = signature.error
    return '0x'
  }
  const encoded = encodeCall(signature.abi, draft.args)
  if (encoded.ok) return encoded.data
  errors.args = encoded.argumentErrors
  return '0x'
}

/** Parses pasted bytes: removes white space; the prefix may be missing. */
export function readPastedBytes(text: string): Hex | undefined {
  const compact = text.replace(/\s+/g, '')
  const prefixed = compact === '' || compact.startsWith('0x') ? compact || '0x' : `0x${compact}`
  return BYTES.test(prefixed) ? (prefixed.toLowerCase() as Hex) : undefined
}

function readBytes(text: string, field: 'data' | 'bytecode' | 'constructorArgs', errors: Errors): Hex {
  const bytes = readPastedBytes(text)
  if (bytes === undefined) errors[field] = NOT_BYTES
  return bytes ?? '0x'
}

function readInteger(
  text: string,
  highest: bigint,
  field: 'nonce' | 'gas' | 'copies',
  errors: Errors,
): bigint | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (!/^\d{1,30}$/.test(trimmed)) {
    errors[field] = field === 'copies' ? `Enter a number from 1 to ${highest}.` : 'Not a whole number. Use digits only.'
    return undefined
  }
  const value = BigInt(trimmed)
  if (value <= highest) return value
  errors[field] = `At most ${highest.toLocaleString('en-US')}.`
  return undefined
}

function readFee(text: string, field: 'feeCap' | 'tip', errors: Errors): bigint | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (!/^(\d{1,20}\.?\d{0,9}|\.\d{1,9})$/.test(trimmed)) {
    errors[field] = 'Not a fee in gwei. Use digits and at most 9 decimals, such as 1.5.'
    return undefined
  }
  return parseGwei(trimmed)
}
