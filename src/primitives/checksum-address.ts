import type { Address, Hash } from './hex.ts'

/**
 * The address in mixed case, which carries a checksum.
 *
 * @param hashOfText - keccak-256 of a text in ASCII.
 * @see {@link https://eips.ethereum.org/EIPS/eip-55 | EIP-55}
 */
export function checksummed(address: Address, hashOfText: (text: string) => Hash): Address {
  const digits = address.slice(2).toLowerCase()
  const hash = hashOfText(digits)
  const mixed = Array.from(digits, (digit, i) => (hash.charAt(i + 2) >= '8' ? digit.toUpperCase() : digit))
  return `0x${mixed.join('')}`
}
