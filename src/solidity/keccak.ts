import { keccak_256 } from '@noble/hashes/sha3.js'
import { checksummed } from '#primitives/checksum-address.ts'
import { type Address, bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { utf8Bytes } from '#primitives/utf8.ts'

export function keccak256(bytes: Uint8Array): Hash {
  return bytesToHex(keccak_256(bytes))
}

/** keccak-256 of a text's UTF-8 bytes. */
export function keccakOfText(text: string): Hash {
  return keccak256(utf8Bytes(text))
}

/**
 * First four bytes of the hash of a function's or an error's signature, such as `transfer(address,uint256)`. The page has
 * one of its own (`src/ui/decode/signature.ts`), with the keccak that it has from viem: this one would be a second in it.
 */
export function selectorOf(signature: string): Hex {
  return keccakOfText(signature).slice(0, 10) as Hex
}

/** An address in mixed case, which carries a checksum. @see {@link checksummed} */
export function checksumAddress(address: Address): Address {
  return checksummed(address, keccakOfText)
}
