/** Addresses of contracts made by CREATE and CREATE2, as words. */

import { loadBigEndian, storeBigEndian } from '../words/word.ts'
import { keccak256 } from './keccak.ts'

const PREIMAGE: usize = memory.data(96, 8)
const BYTES: usize = memory.data(32, 8)

/** The last 20 bytes of the hash of the RLP of creator and nonce. */
export function createAddress(to: usize, creator: usize, nonce: u64): void {
  writeAddress(PREIMAGE + 2, creator)
  store<u8>(PREIMAGE, 0x94, 1)
  const nonceBytes = ((71 - clz<u64>(nonce)) >> 3) as usize
  const at = PREIMAGE + 22
  let size: usize = 23
  if (nonce != 0 && nonce < 0x80) {
    store<u8>(at, nonce as u8)
  } else {
    store<u8>(at, 0x80 + (nonceBytes as u8))
    for (let i: usize = 0; i < nonceBytes; i++)
      store<u8>(at + 1 + i, (nonce >> (((nonceBytes - 1 - i) as u64) << 3)) as u8)
    size += nonceBytes
  }
  store<u8>(PREIMAGE, 0xc0 + (size as u8) - 1)
  hashToAddress(to, size)
}

/** The last 20 bytes of the hash of a mark, the creator, the salt and the hash of the initcode (EIP-1014). */
export function create2Address(to: usize, creator: usize, salt: usize, initcode: usize, size: usize): void {
  store<u8>(PREIMAGE, 0xff)
  writeAddress(PREIMAGE + 1, creator)
  storeBigEndian(PREIMAGE + 21, salt)
  keccak256(initcode, size, PREIMAGE + 53)
  hashToAddress(to, 85)
}

function writeAddress(to: usize, word: usize): void {
  storeBigEndian(BYTES, word)
  memory.copy(to, BYTES + 12, 20)
}

function hashToAddress(to: usize, size: usize): void {
  keccak256(PREIMAGE, size, BYTES)
  loadBigEndian(to, BYTES)
  store<u64>(to, load<u64>(to, 16) & 0xffffffff, 16)
  store<u64>(to, 0, 24)
}
