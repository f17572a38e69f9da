import type { Address, Hash } from '#primitives/hex.ts'
import type { BlockEnv } from '../block-env.ts'

/** Overrides of the block for a call; `undefined` fields stay as they are. */
export interface BlockOverride {
  readonly number: number | undefined
  /** Seconds since the Unix epoch. */
  readonly timestamp: number | undefined
  readonly gasLimit: bigint | undefined
  readonly coinbase: Address | undefined
  readonly prevRandao: Hash | undefined
  /** Wei per gas. */
  readonly baseFee: bigint | undefined
  /** Wei per unit of blob gas. */
  readonly blobBaseFee: bigint | undefined
  /** Only of simulated blocks, which begin with the call that stores it (EIP-4788). */
  readonly beaconRoot: Hash | undefined
}

/** The environment with a call's overrides. Blocks between the real one and an overridden number have no hash. */
export function overrideEnv(env: BlockEnv, override: BlockOverride): BlockEnv {
  const blobBaseFee = override.blobBaseFee ?? env.blobBaseFee
  return {
    ...env,
    number: override.number ?? env.number,
    timestamp: override.timestamp ?? env.timestamp,
    gasLimit: override.gasLimit ?? env.gasLimit,
    coinbase: override.coinbase ?? env.coinbase,
    prevRandao: override.prevRandao ?? env.prevRandao,
    baseFee: override.baseFee ?? env.baseFee,
    ...(blobBaseFee !== undefined && { blobBaseFee }),
    blockHash: (number) => (number <= env.number ? env.blockHash(number) : undefined),
  }
}
