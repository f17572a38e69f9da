import { type Hex, hexToBytes, toQuantity } from '#primitives/hex.ts'
import { BLOB_SCHEDULE, PRECOMPILES, SYSTEM_CONTRACTS } from '../../../spec/hardfork.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { sendingAccounts } from '../../sending/signer.ts'

/** The chain, its rules and its accounts. */
export const ETH_CHAIN_METHODS = {
  eth_chainId: defineMethod([], ({ spec }) => toQuantity(spec.chainId)),

  /** Number of the sealed head. */
  eth_blockNumber: defineMethod([], ({ chain }) => toQuantity(chain.head().header.number)),

  /** The accounts that the node sends for. */
  eth_accounts: defineMethod([], sendingAccounts),

  /** The fee recipient of the live block. */
  eth_coinbase: defineMethod([], ({ chain }) => chain.pending().header.coinbase),

  /** The node answers for everything from block 0 on; a fork, for what was before it, through its endpoint. */
  eth_capabilities: defineMethod([], ({ chain }) => {
    const { header, hash } = chain.head()
    const kept = { disabled: false, oldestBlock: '0x0' } as const
    const head = { number: toQuantity(header.number), hash }
    return { head, state: kept, tx: kept, logs: kept, receipts: kept, blocks: kept, stateproofs: kept }
  }),

  /** A single node has nothing to sync. */
  eth_syncing: defineMethod([], () => false),

  /**
   * The chain's only fork, in force from block 0 on.
   *
   * @see {@link https://eips.ethereum.org/EIPS/eip-7910 | EIP-7910}
   */
  eth_config: defineMethod([], ({ chain, spec }) => {
    return {
      current: {
        activationTime: 0,
        blobSchedule: BLOB_SCHEDULE,
        chainId: toQuantity(spec.chainId),
        // EIP-6122: forks in force from block 0 on are not hashed.
        forkId: crc32(hexToBytes(chain.first().hash)),
        precompiles: PRECOMPILES,
        systemContracts: SYSTEM_CONTRACTS,
      },
      next: null,
      last: null,
    }
  }),

  /** The accounts that the node sends for; no approval is needed. */
  eth_requestAccounts: defineMethod([], sendingAccounts),
} satisfies Partial<MethodTable>

/** CRC-32 of IEEE 802.3, 4 bytes. */
function crc32(bytes: Uint8Array): Hex {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return `0x${((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')}`
}
