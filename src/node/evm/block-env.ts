import type { Address, Hash } from '#primitives/hex.ts'

/** The block's values that code can read. */
export interface BlockEnv {
  readonly number: number
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly coinbase: Address
  readonly prevRandao: Hash
  readonly gasLimit: bigint
  /** Wei per gas. */
  readonly baseFee: bigint
  /** Wei per unit of blob gas; 1, the least there is, where it is left out, for this chain has no blobs. */
  readonly blobBaseFee?: bigint
  /** Address → precompile that answers there, by its own address; where it is left out, each answers at its own. */
  readonly precompiles?: ReadonlyMap<Address, Address>
  /** Hash of a block before this one, as BLOCKHASH sees it (the last 256); `undefined` beyond, which it sees as 0. */
  blockHash(number: number): Hash | undefined
}

/** The header fields that code can read. */
interface EnvHeader extends Pick<BlockEnv, 'number' | 'timestamp' | 'coinbase' | 'gasLimit'> {
  readonly mixHash: Hash
  readonly baseFeePerGas: bigint
}

/** The environment of the block with that header. */
export function envOf(header: EnvHeader, blockHash: BlockEnv['blockHash']): BlockEnv {
  return {
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    prevRandao: header.mixHash,
    gasLimit: header.gasLimit,
    baseFee: header.baseFeePerGas,
    blockHash,
  }
}
