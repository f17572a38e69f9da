import { toQuantity } from '#primitives/hex.ts'
import { keccak256Hex } from '../../../crypto/keccak.ts'
import { defineMethod } from '../../define-method.ts'
import { data } from '../../params/hex-params.ts'
import { signingAccounts } from '../../sending/signer.ts'

/** `web3_clientVersion`. */
export const web3ClientVersion = defineMethod('web3_clientVersion', [], ({ spec }) => spec.clientVersion)

/** `net_version`: the chain id in decimal. */
export const netVersion = defineMethod('net_version', [], ({ spec }) => String(spec.chainId))

/** `eth_chainId`. */
export const ethChainId = defineMethod('eth_chainId', [], ({ spec }) => toQuantity(spec.chainId))

/** `eth_blockNumber`: the sealed head's. */
export const ethBlockNumber = defineMethod('eth_blockNumber', [], ({ chain }) => toQuantity(chain.head().header.number))

/** `eth_accounts`: the development accounts with which the node signs. */
export const ethAccounts = defineMethod('eth_accounts', [], signingAccounts)

/** `eth_coinbase`: who gets the tips of the live block. */
export const ethCoinbase = defineMethod('eth_coinbase', [], ({ chain }) => chain.pending().header.coinbase)

/** `eth_capabilities`: the node has everything from block 0 on. */
export const ethCapabilities = defineMethod('eth_capabilities', [], ({ chain }) => {
  const { header, hash } = chain.head()
  const kept = { disabled: false, oldestBlock: '0x0' } as const
  const head = { number: toQuantity(header.number), hash }
  return { head, state: kept, tx: kept, logs: kept, receipts: kept, blocks: kept, stateproofs: kept }
})

/** `eth_syncing`: there is no one to sync with. */
export const ethSyncing = defineMethod('eth_syncing', [], () => false)

/** `net_listening`: the node can be called. */
export const netListening = defineMethod('net_listening', [], () => true)

/** `net_peerCount`: the chain has one node. */
export const netPeerCount = defineMethod('net_peerCount', [], () => '0x0')

/** `web3_sha3`: keccak256 of bytes. */
export const web3Sha3 = defineMethod('web3_sha3', [data], (_, bytes) => keccak256Hex(bytes))

/** `rpc_modules`: the namespaces of the methods that there are. */
export const rpcModules = defineMethod('rpc_modules', [], ({ methodNames }) => {
  const namespaces = methodNames.map((name) => name.replace(/[._].*/, ''))
  return Object.fromEntries([...new Set(namespaces)].toSorted().map((namespace) => [namespace, '1.0']))
})
