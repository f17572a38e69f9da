import { keccak_256 } from '@noble/hashes/sha3.js'
import { checksummed } from '#primitives/checksum-address.ts'
import { type Address, bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'

interface Encoder {
  encode(text: string): Uint8Array
}

/** In browsers, workers and Node.js alike. */
const { TextEncoder } = globalThis as unknown as { readonly TextEncoder: new () => Encoder }
const utf8 = new TextEncoder()

export function keccak256(bytes: Uint8Array): Hash {
  return bytesToHex(keccak_256(bytes))
}

/** keccak-256 of a text's UTF-8 bytes. */
export function keccakOfText(text: string): Hash {
  return keccak256(utf8.encode(text))
}

/** First four bytes of the hash of a function's or an error's signature, such as `transfer(address,uint256)`. */
export function selectorOf(signature: string): Hex {
  return keccakOfText(signature).slice(0, 10) as Hex
}

/** An address in mixed case, which carries a checksum. @see {@link checksummed} */
export function checksumAddress(address: Address): Address {
  return checksummed(address, keccakOfText)
}
