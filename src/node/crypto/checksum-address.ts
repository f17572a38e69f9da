import { checksummed } from '#primitives/checksum-address.ts'
import type { Address } from '#primitives/hex.ts'
import { keccak256Hex } from './keccak.ts'

/** The address in mixed case, as geth writes it in messages. @see {@link checksummed} */
export function checksumAddress(address: Address): Address {
  return checksummed(address, (text) => keccak256Hex(Uint8Array.from(text, (digit) => digit.charCodeAt(0))))
}
