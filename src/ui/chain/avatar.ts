import { blo } from 'blo'
import type { Address } from '#primitives/hex.ts'

/** How many pictures are kept; others are created again. */
const CAPACITY = 256

const made = new Map<Address, string>()

/** The picture of an address as a data URI. Cached, since tables of transactions need the same few repeatedly. */
export function avatarOf(address: Address): string {
  const known = made.get(address)
  if (known !== undefined) return known
  const avatar = blo(address)
  if (made.size >= CAPACITY) made.clear()
  made.set(address, avatar)
  return avatar
}
