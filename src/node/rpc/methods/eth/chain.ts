import { toQuantity } from '#primitives/hex.ts'
import { keccak256Hex } from '../../../crypto/keccak.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { data } from '../../params/hex-params.ts'
import { signingAccounts } from '../../sending/signer.ts'

/** The chain and its accounts. */
export const CHAIN_INFO_METHODS = {
  web3_clientVersion: defineMethod([], ({ spec }) => spec.clientVersion),

  /** The chain id in decimal. */
  net_version: defineMethod([], ({ spec }) => String(spec.chainId)),

  eth_chainId: defineMethod([], ({ spec }) => toQuantity(spec.chainId)),

  /** The sealed head's. */
  eth_blockNumber: defineMethod([], ({ chain }) => toQuantity(chain.head().header.number)),

  /** The development accounts with which the node signs. */
  eth_accounts: defineMethod([], signingAccounts),

  /** Who gets the tips of the live block. */
  eth_coinbase: defineMethod([], ({ chain }) => chain.pending().header.coinbase),

  /** The node has everything from block 0 on. */
  eth_capabilities: defineMethod([], ({ chain }) => {
    const { header, hash } = chain.head()
    const kept = { disabled: false, oldestBlock: '0x0' } as const
    const head = { number: toQuantity(header.number), hash }
    return { head, state: kept, tx: kept, logs: kept, receipts: kept, blocks: kept, stateproofs: kept }
  }),

  /** There is no one to sync with. */
  eth_syncing: defineMethod([], () => false),

  /** The node can be called. */
  net_listening: defineMethod([], () => true),

  /** The chain has one node. */
  net_peerCount: defineMethod([], () => '0x0'),

  /** Keccak256 of bytes. */
  web3_sha3: defineMethod([data], (_, bytes) => keccak256Hex(bytes)),

  /** The namespaces of the methods that there are. */
  rpc_modules: defineMethod([], ({ methodNames }) => {
    const namespaces = methodNames.map((name) => name.replace(/[._].*/, ''))
    return Object.fromEntries([...new Set(namespaces)].toSorted().map((namespace) => [namespace, '1.0']))
  }),
} satisfies Partial<MethodTable>
