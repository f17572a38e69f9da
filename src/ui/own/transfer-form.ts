import { isAddress, parseEther } from 'viem'
import type { Address } from '#primitives/hex.ts'

/** The form's fields as typed. */
export interface TransferInput {
  readonly to: string
  /** ETH. */
  readonly value: string
}

export type TransferFields =
  | { readonly ok: true; readonly to: Address; readonly value: bigint }
  | { readonly ok: false; readonly errors: Partial<Record<keyof TransferInput, string>> }

/** The largest value of a transaction, in wei. */
const MAX_VALUE = 2n ** 256n - 1n
const AMOUNT = /^(\d+\.?\d*|\.\d+)$/

/** Parses a transfer; each error says what is wrong and what to type instead. */
export function parseTransfer(input: TransferInput): TransferFields {
  const to = parseRecipient(input.to.trim())
  const value = parseAmount(input.value.trim())
  if (typeof value === 'bigint' && to.ok) return { ok: true, to: to.address, value }
  return {
    ok: false,
    errors: { ...(!to.ok && { to: to.error }), ...(typeof value === 'string' && { value }) },
  }
}

/** Parses a typed address, or says what is wrong with it. */
export function parseRecipient(text: string): { ok: true; address: Address } | { ok: false; error: string } {
  if (text === '') return { ok: false, error: 'Enter the address that receives the amount.' }
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    return { ok: false, error: 'Not an address. Enter 0x and 40 hexadecimal digits.' }
  }
  if (!isAddress(text)) {
    return { ok: false, error: 'The checksum does not match: a character is wrong. Copy the address again.' }
  }
  return { ok: true, address: text.toLowerCase() as Address }
}

/** Parses a typed amount of ETH as wei, or says what is wrong with it. */
export function parseAmount(text: string): bigint | string {
  if (text === '') return 'Enter an amount in ETH, such as 0.01.'
  if (!AMOUNT.test(text)) return 'Not an amount. Use digits and a point, such as 0.01.'
  if ((text.split('.')[1]?.length ?? 0) > 18) return 'ETH has at most 18 decimals. Shorten the amount.'
  const wei = parseEther(text)
  return wei <= MAX_VALUE ? wei : 'Too much: a transaction can carry less than 2^256 wei. Enter a smaller amount.'
}
