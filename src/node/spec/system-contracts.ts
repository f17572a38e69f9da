import type { Address, Hex } from '#primitives/hex.ts'

/** Caller of the system calls of a block. */
export const SYSTEM_ADDRESS: Address = '0xfffffffffffffffffffffffffffffffffffffffe'

/**
 * Stores the last 8,191 block hashes.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-2935 | EIP-2935}
 */
export const HISTORY_STORAGE_ADDRESS: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'
export const HISTORY_STORAGE_CODE: Hex =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500'

/**
 * Stores the last 8,191 parent beacon block roots.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-4788 | EIP-4788}
 */
export const BEACON_ROOTS_ADDRESS: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
export const BEACON_ROOTS_CODE: Hex =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500'
