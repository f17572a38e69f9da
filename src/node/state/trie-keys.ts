import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { type ByteText, byteText } from './byte-text.ts'
import { GenerationalCache } from './generational-cache.ts'

/** A few MB each when full. */
const CAPACITY = 1 << 12

const addressKeys = new GenerationalCache<Address, ByteText>(CAPACITY)
const slotKeys = new GenerationalCache<Hash, ByteText>(CAPACITY)

/** Key of an account in the state trie: keccak256 of the address. */
export function addressKey(address: Address): ByteText {
  return hashed(addressKeys, address)
}

/** Key of a slot in a storage trie: keccak256 of its 32 bytes. */
export function slotKey(slot: Hash): ByteText {
  return hashed(slotKeys, slot)
}

function hashed(cache: GenerationalCache<string, ByteText>, hex: string): ByteText {
  let key = cache.get(hex)
  if (key === undefined) {
    key = byteText(keccak256(hexToBytes(hex)))
    cache.set(hex, key)
  }
  return key
}
