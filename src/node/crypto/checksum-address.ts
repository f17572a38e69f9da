import type { Address } from '#primitives/hex.ts'
import { keccak256Hex } from './keccak.ts'

/**
 * The address in mixed case, as geth writes it in messages.
 *
 * @param address - In lower case.
 * @see {@link https://eips.ethereum.org/EIPS/eip-55 | EIP-55}
 */
export function checksumAddress(address: Address): Address {
  const digits = address.slice(2)
  const hash = keccak256Hex(Uint8Array.from(digits, (digit) => digit.charCodeAt(0))).slice(2)
  const mixed = Array.from(digits, (digit, i) => ((hash[i] ?? '0') >= '8' ? digit.toUpperCase() : digit))
  return `0x${mixed.join('')}`
}
