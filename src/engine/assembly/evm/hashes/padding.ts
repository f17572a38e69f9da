/** The padding of SHA-256 and RIPEMD-160: a bit, zeros, and its length in the last eight bytes of a block. */

/** Block size of both, in bytes. */
export const BLOCK_BYTES: usize = 64

/** The end of the input, padded: one block or two. */
export const TAIL: usize = memory.data(128, 8)

/**
 * Writes {@link TAIL}, without the length, for the bytes of the input that fill no block.
 *
 * @returns Where it ends.
 */
export function padTail(from: usize, size: usize): usize {
  memory.fill(TAIL, 0, 2 * BLOCK_BYTES)
  memory.copy(TAIL, from, size)
  store<u8>(TAIL + size, 0x80)
  return TAIL + (size + 9 <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES)
}
