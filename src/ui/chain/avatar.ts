import { blo } from 'blo'
import type { Address } from '#primitives/hex.ts'

/** Addresses that the screens of a session show over and over; beyond that the picture is made again. */
const CAPACITY = 256

const made = new Map<Address, string>()

/** The picture of an address, as a data URI. Kept, since a table of transactions asks for the same few many times. */
export function avatarOf(address: Address): string {
  const known = made.get(address)
  if (known !== undefined) return known
  const avatar = blo(address)
  if (made.size >= CAPACITY) made.clear()
  made.set(address, avatar)
  return avatar
}
