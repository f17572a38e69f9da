import { toQuantity } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { VERSION } from '#rpc-types/version.ts'
import { defineMethod } from '../define-method.ts'

/** Name and version of the node. */
export const CLIENT_VERSION = `Blinknet/v${VERSION}`

/** `web3_clientVersion`. */
export const web3ClientVersion = defineMethod('web3_clientVersion', [], () => CLIENT_VERSION)

/** `net_version`: the chain id in decimal. */
export const netVersion = defineMethod('net_version', [], ({ spec }) => String(spec.chainId))

/** `eth_chainId`. */
export const ethChainId = defineMethod('eth_chainId', [], ({ spec }) => toQuantity(spec.chainId))

/** `eth_blockNumber`: the sealed head's. */
export const ethBlockNumber = defineMethod('eth_blockNumber', [], ({ chain }) => toQuantity(chain.head().header.number))

/** `eth_accounts`: the development accounts, whose keys everyone knows; the node itself signs nothing. */
export const ethAccounts = defineMethod('eth_accounts', [], () => DEV_KEYS.map(({ address }) => address))
