import type { Address } from './hex.ts'

/** Most addresses remembered. */
const CAPACITY = 4_096

let young = new Map<Address, Address>()
let old = new Map<Address, Address>()

/**
 * The text of the address that was here first: the same few accounts come with every transaction. Who keeps addresses then
 * keeps each once, and a map that has it as a key finds it without comparing digits.
 */
export function knownAddress(address: Address): Address {
  const known = young.get(address)
  if (known !== undefined) return known
  const first = old.get(address) ?? address
  young.set(first, first)
  if (young.size > CAPACITY) {
    old = young
    young = new Map()
  }
  return first
}
