/** The environment that the host sets before a message runs: words that are the same in all of its frames. */
import { allocateBlock, freeBlock } from '../host/heap.ts'
import { WORD_BYTES } from '../words/word.ts'

/** In this order; the host writes them. */
export const ENVIRONMENT_BYTES: usize = 11 * 32
export const ENVIRONMENT: usize = memory.data(11 * 32, 8)
export const ORIGIN: usize = ENVIRONMENT + 0 * WORD_BYTES
export const GAS_PRICE: usize = ENVIRONMENT + WORD_BYTES
export const COINBASE: usize = ENVIRONMENT + 2 * WORD_BYTES
export const TIMESTAMP: usize = ENVIRONMENT + 3 * WORD_BYTES
export const NUMBER: usize = ENVIRONMENT + 4 * WORD_BYTES
export const PREVRANDAO: usize = ENVIRONMENT + 5 * WORD_BYTES
export const GAS_LIMIT: usize = ENVIRONMENT + 6 * WORD_BYTES
export const CHAIN_ID: usize = ENVIRONMENT + 7 * WORD_BYTES
export const BASE_FEE: usize = ENVIRONMENT + 8 * WORD_BYTES
export const BLOB_BASE_FEE: usize = ENVIRONMENT + 9 * WORD_BYTES
/** The value of the message. */
export const VALUE: usize = ENVIRONMENT + 10 * WORD_BYTES

/** The versioned hashes of the transaction's blobs, word after word (EIP-4844). */
export let blobHashes: usize = 0
export let blobCount: u32 = 0

/** Without memory of its own. */
export function resetBlobHashes(): void {
  blobHashes = 0
  blobCount = 0
}

/** Makes room for `count` hashes; the host writes them. */
export function reserveBlobHashes(count: u32): usize {
  freeBlock(blobHashes)
  blobCount = count
  blobHashes = count == 0 ? 0 : allocateBlock((count as usize) * WORD_BYTES)
  return blobHashes
}
