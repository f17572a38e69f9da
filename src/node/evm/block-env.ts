import type { Address, Hash } from '#primitives/hex.ts'

/** The values of the block that code can read. */
export interface BlockEnv {
  readonly number: number
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly coinbase: Address
  readonly prevRandao: Hash
  readonly gasLimit: bigint
  /** Wei per gas. */
  readonly baseFee: bigint
  /** Wei per unit of blob gas; 1 by default, the minimum, since this chain has no blobs. */
  readonly blobBaseFee?: bigint
  /** The precompile at each address, by its own address; by default each is at its own. */
  readonly precompiles?: ReadonlyMap<Address, Address>
  /** Hash of an earlier block for BLOCKHASH (the last 256); `undefined` for older ones, where BLOCKHASH gives 0. */
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

/** The environments of blocks by their headers: the same object again as long as the same block is asked for. */
export function environments(blockHash: BlockEnv['blockHash']): (header: EnvHeader) => BlockEnv {
  let last: { readonly header: EnvHeader; readonly env: BlockEnv } | undefined
  return (header) => {
    if (last?.header !== header) last = { header, env: envOf(header, blockHash) }
    return last.env
  }
}
