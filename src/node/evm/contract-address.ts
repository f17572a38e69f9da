import { RLP } from '@ethereumjs/rlp'
import { bigIntToBytes } from '#primitives/bytes.ts'
import { type Address, bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'

const CREATE2_MARK = Uint8Array.of(0xff)

/**
 * Address of the contract created by CREATE or a transaction without a recipient.
 *
 * @param nonce - The sender's nonce before it is incremented.
 */
export function createdAddress(sender: Address, nonce: bigint): Address {
  return lastBytes(keccak256(RLP.encode([hexToBytes(sender), bigIntToBytes(nonce)])))
}

/**
 * Address of the contract created by CREATE2.
 *
 * @param salt - 32 bytes.
 * @see {@link https://eips.ethereum.org/EIPS/eip-1014 | EIP-1014}
 */
export function create2Address(sender: Address, salt: Uint8Array, initcode: Uint8Array): Address {
  return lastBytes(keccak256(CREATE2_MARK, hexToBytes(sender), salt, keccak256(initcode)))
}

function lastBytes(hash: Uint8Array): Address {
  return bytesToHex(hash.subarray(12))
}
