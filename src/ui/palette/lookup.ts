import type { Address, Hash } from '#primitives/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'

/** What a text that was typed into the search names on a chain. */
export type Lookup =
  | { readonly kind: 'block'; readonly number: number }
  /** Of a transaction or of a block: only the node can tell. */
  | { readonly kind: 'hash'; readonly hash: Hash }
  | { readonly kind: 'address'; readonly address: Address }
  /** Begins as hexadecimal digits do, and is nothing of the above. */
  | { readonly kind: 'digits'; readonly why: string }
  /** Words, or nothing at all. */
  | { readonly kind: 'words' }

const ADDRESS_DIGITS = 40
const HASH_DIGITS = 64
/** So that every number of a block is exact, and digits of something longer are not taken for one. */
const MAX_NUMBER_DIGITS = 13

/** Reads a search: `7`, `#7`, `1,024`, `0x7`, an address, a hash, with or without 0x where that is clear. */
export function parseLookup(text: string): Lookup {
  const query = text.trim()
  const decimal = /^#?((?:\d{1,3}(?:,\d{3})+)|\d+)$/.exec(query)?.[1]?.replaceAll(',', '')
  if (decimal !== undefined && decimal.length <= MAX_NUMBER_DIGITS) return { kind: 'block', number: Number(decimal) }
  const hex = /^(0x)?([0-9a-f]*)$/i.exec(query)
  const digits = hex?.[2]?.toLowerCase()
  if (digits === undefined) return /^0x/i.test(query) ? notHexadecimal(query) : { kind: 'words' }
  if (digits.length === HASH_DIGITS) return { kind: 'hash', hash: `0x${digits}` }
  if (digits.length === ADDRESS_DIGITS) return { kind: 'address', address: `0x${digits}` }
  if (hex?.[1] === undefined) return { kind: 'words' }
  if (digits.length === 0) return { kind: 'digits', why: 'After 0x: 40 digits for an address, 64 for a hash.' }
  if (digits.length < MAX_NUMBER_DIGITS) return { kind: 'block', number: Number(`0x${digits}`) }
  return {
    kind: 'digits',
    why: `An address has 40 hexadecimal digits, a hash has 64. This has ${formatCount(digits.length, 'digit')}.`,
  }
}

function notHexadecimal(query: string): Lookup {
  const character = /[^0-9a-f]/i.exec(query.slice(2))?.[0] ?? ''
  return { kind: 'digits', why: `“${character}” is not a hexadecimal digit. Those are 0–9 and a–f.` }
}
