import type { Address, Hex } from '#primitives/hex.ts'

/**
 * The contract that accounts are delegated to (EIP-7702) so that a bundle of calls is one transaction; the same on every
 * chain. Its source is `BatchDelegate.sol` (`src/node/rpc/methods/wallet/`).
 */
export const BATCH_DELEGATE: Address = '0xec9a85657ffd012a7e5fdbc07e63d8cfa830d6e0'

/** The code of an account that is delegated to it. */
export const BATCH_DELEGATION: Hex = `0xef0100${BATCH_DELEGATE.slice(2)}`

/** Most calls of a bundle (EIP-5792). */
export const MAX_BUNDLED_CALLS = 256
