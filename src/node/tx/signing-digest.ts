import { bigIntToBytes, concatBytes, EMPTY_BYTES } from '#primitives/bytes.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { headerSize, RlpWriter } from './rlp-writer.ts'

/**
 * The digest signed by the sender of a typed transaction, 32 bytes.
 *
 * @param fields - RLP of the unsigned fields, concatenated, without a list header.
 * @see {@link https://eips.ethereum.org/EIPS/eip-2718 | EIP-2718}
 */
export function typedDigest(type: number, fields: Uint8Array): Uint8Array {
  const start = new Uint8Array(1 + headerSize(fields.length))
  const writer = new RlpWriter(start)
  writer.byte(type)
  writer.list(fields.length)
  return keccak256(start, fields)
}

/**
 * The digest signed by the sender of a legacy transaction, 32 bytes.
 *
 * @param fields - RLP of the unsigned fields, concatenated, without a list header.
 * @param chainId - `null` without replay protection.
 * @see {@link https://eips.ethereum.org/EIPS/eip-155 | EIP-155}
 */
export function legacyDigest(fields: Uint8Array, chainId: bigint | null): Uint8Array {
  const suffix = chainId === null ? EMPTY_BYTES : concatBytes(encodeInteger(chainId), Uint8Array.of(0x80, 0x80))
  return keccak256(listHeader(fields.length + suffix.length), fields, suffix)
}

/** RLP of an integer. @param value - Below 2^256. */
export function encodeInteger(value: bigint): Uint8Array {
  const bytes = bigIntToBytes(value)
  return value > 0n && value < 0x80n ? bytes : concatBytes(Uint8Array.of(0x80 + bytes.length), bytes)
}

/** RLP prefix of a list of that many bytes. */
export function listHeader(length: number): Uint8Array {
  const header = new Uint8Array(headerSize(length))
  new RlpWriter(header).list(length)
  return header
}
