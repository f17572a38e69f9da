import type { Hash } from '#primitives/hex.ts'

/** keccak256 of no code. */
export const EMPTY_CODE_HASH: Hash = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
