import type { Address } from '#primitives/hex.ts'

/**
 * The contract that accounts are delegated to (EIP-7702) so that a bundle of calls is one transaction; the same on every
 * chain. Its source is `BatchDelegate.sol` (`src/node/rpc/methods/wallet/`).
 */
export const BATCH_DELEGATE: Address = '0xec9a85657ffd012a7e5fdbc07e63d8cfa830d6e0'

/** Most calls of a bundle (EIP-5792). */
export const MAX_BUNDLED_CALLS = 256
